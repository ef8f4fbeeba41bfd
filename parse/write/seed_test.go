package write_test

import (
	"testing"

	"github.com/OWNER/handex/index/testkit"
)

func TestMain(m *testing.M) {
	testkit.SetDraws(50, 10_000)
	m.Run()
}
