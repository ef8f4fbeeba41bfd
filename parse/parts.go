package parse

// A partSplitter splits a body into parts.
type partSplitter struct {
	body  string
	kind  Kind
	from  int
	parts []Part
}

// cut begins a part at an offset, unless the text before is of that kind.
func (p *partSplitter) cut(at int, k Kind) {
	if k == p.kind {
		return
	}
	if at > p.from {
		p.parts = append(p.parts, Part{p.kind, p.body[p.from:at]})
	}
	p.from, p.kind = at, k
}

// done returns the parts, none where all is of kind k.
func (p *partSplitter) done(k Kind) []Part {
	if p.from == 0 && p.kind == k {
		return nil
	}
	if p.from < len(p.body) {
		p.parts = append(p.parts, Part{p.kind, p.body[p.from:]})
	}
	return p.parts
}
