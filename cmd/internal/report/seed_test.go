package report_test

import (
	"testing"

	"github.com/OWNER/handex/index/testkit"
)

func TestMain(m *testing.M) {
	testkit.SetDraws(10, 2000) // each draw indexes a tree
	m.Run()
}
