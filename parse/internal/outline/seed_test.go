package outline_test

import (
	"testing"

	"github.com/OWNER/handex/index/testkit"
)

func TestMain(m *testing.M) {
	testkit.SetDraws(100, 10_000)
	m.Run()
}
