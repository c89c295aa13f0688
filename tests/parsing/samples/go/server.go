// Package server serves.
package server

import "fmt"
import (
	. "strings"
	_ "embed"
	log "github.com/acme/log"
	"net/http"
)

// Server serves.
// It is safe to copy.
type Server struct {
	*Base
	http.Handler
	name, host string `json:"name"`
	routes     map[string][]*Route
	hook       func(ctx Context) (Reply, error)
}

type (
	// Store keeps.
	Store[K comparable, V any] interface {
		Reader
		Get(key K) (V, error)
	}
	ID = uint64
	Visit func(*Server) bool
)

const Version = "1"
const (
	Idle, Busy = iota, iota
	Done
)

var _ Store[int, Row] = (*memory)(nil)
var (
	first, second = 1, New()
	onStop        = func() { stop() }
)

// Run runs.
func (s *Server) Run(addr string, opts ...Option) (err error) {
	s.Base.Start(addr)
	go s.watch(func() error { return check(s) })
	defer close(s.done)
	each := func(r *Route) { r.visit() }
	client := &http.Client{Timeout: 3}
	rows := []Row{{}, build()}
	switch e := err.(type) {
	case *StoreError:
		return fmt.Errorf("x %w", e)
	}
	const local = 1
	type pair struct{ a, b int }
	return Map[int, Row](rows, each).(http.Flusher).Flush()
}

func (l List[T]) Len() int { return len(l.items) }

func New[T Number](x T) *Server { return &Server{name: Trim(x)} }
