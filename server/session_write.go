package server

import (
	"context"
	"time"

	"github.com/gorilla/websocket"
)

// write sends replies and pings until the session ends. A page that does not take a
// message in time is given up: it reconnects and asks again.
func (s *session) write(ctx context.Context) {
	ping := time.NewTicker(s.pulse.ping)
	defer ping.Stop()
	defer func() { _ = s.conn.Close() }()
	for {
		select {
		case <-ctx.Done():
			s.close(websocket.CloseGoingAway, "")
			return
		case <-ping.C:
			if s.conn.WriteControl(websocket.PingMessage, nil, s.deadline()) != nil {
				return
			}
		case <-s.answered:
			r := s.next()
			if r == nil {
				continue
			}
			_ = s.conn.SetWriteDeadline(s.deadline())
			if s.conn.WriteJSON(r) != nil {
				return
			}
		}
	}
}

// close says goodbye with a reason, if the other side still listens.
func (s *session) close(code int, reason string) {
	_ = s.conn.WriteControl(websocket.CloseMessage, websocket.FormatCloseMessage(code, reason), s.deadline())
}

func (s *session) deadline() time.Time { return time.Now().Add(s.pulse.write) }
