package query

// Simplify folds an expression without changing what it finds: lists are
// flattened, double negation and repetitions go, and so does what is always or
// never true.
func Simplify(e Expr) Expr {
	switch e := e.(type) {
	case And:
		return simplifyAnd(e)
	case Or:
		return simplifyOr(e)
	case Not:
		return negate(Simplify(e.X))
	case Same:
		return Same{e.Field, Simplify(e.X)}
	case All, None, Text, Key, Amount, During, Is, Has:
		return e
	}
	return e
}

func negate(e Expr) Expr {
	if not, ok := e.(Not); ok {
		return not.X
	}
	switch {
	case isAll(e):
		return None{}
	case isNone(e):
		return All{}
	}
	return Not{e}
}

func isAll(e Expr) bool {
	_, ok := e.(All)
	return ok
}

func isNone(e Expr) bool {
	_, ok := e.(None)
	return ok
}

func simplifyAnd(e And) Expr {
	var list []Expr
	for _, x := range e.List {
		x = Simplify(x)
		if isNone(x) {
			return None{}
		}
		if and, ok := x.(And); ok {
			list = append(list, and.List...)
		} else if !isAll(x) {
			list = append(list, x)
		}
	}
	list = distinct(list)
	switch len(list) {
	case 0:
		return All{}
	case 1:
		return list[0]
	}
	return And{list}
}

func simplifyOr(e Or) Expr {
	var list []Expr
	for _, x := range e.List {
		x = Simplify(x)
		if isAll(x) {
			return All{}
		}
		if or, ok := x.(Or); ok {
			list = append(list, or.List...)
		} else if !isNone(x) {
			list = append(list, x)
		}
	}
	list = distinct(list)
	switch len(list) {
	case 0:
		return None{}
	case 1:
		return list[0]
	}
	return Or{list}
}

// distinct leaves out what was there before.
func distinct(list []Expr) []Expr {
	seen := map[string]bool{}
	var kept []Expr
	for _, e := range list {
		if s := e.String(); !seen[s] {
			seen[s] = true
			kept = append(kept, e)
		}
	}
	return kept
}
