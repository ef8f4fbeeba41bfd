package store

import (
	"database/sql/driver"
	"sync"

	"modernc.org/sqlite"

	"github.com/OWNER/handex/query"
)

// register gives SQLite the functions that compiled queries call. The driver
// keeps them for the whole process, so it happens once, before the first
// connection.
var register = sync.OnceValue(func() error {
	for _, f := range query.Functions() {
		err := sqlite.RegisterDeterministicScalarFunction(f.Name, int32(f.NArgs), func(_ *sqlite.FunctionContext,
			args []driver.Value,
		) (driver.Value, error) {
			plain := make([]any, len(args))
			for i, a := range args {
				plain[i] = a
			}
			return f.Func(plain)
		})
		if err != nil {
			return err
		}
	}
	return nil
})
