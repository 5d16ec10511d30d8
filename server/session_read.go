package server

import (
	"context"
	"encoding/json"
	"time"

	"github.com/gorilla/websocket"
)

// read takes questions from the page until the connection ends.
func (s *session) read(ctx context.Context) {
	s.conn.SetReadLimit(maxMessage)
	s.alive()
	s.conn.SetPongHandler(func(string) error {
		s.alive()
		return nil
	})
	for ctx.Err() == nil {
		_, data, err := s.conn.ReadMessage()
		if err != nil {
			return
		}
		s.alive()
		var q question
		if err := json.Unmarshal(data, &q); err != nil {
			s.close(websocket.CloseUnsupportedData, "not a question")
			return
		}
		s.ask(q)
	}
}

// alive puts off the moment at which silence ends the session.
func (s *session) alive() { _ = s.conn.SetReadDeadline(time.Now().Add(s.pulse.silence)) }
