package cluster

import (
	"context"
	"time"
)

// When a survey is taken again. After a change of the APIs it is taken twice, because discovery lags behind them.
const (
	surveyEvery   = time.Minute
	surveySoon    = time.Second
	surveyLater   = 10 * time.Second
	surveyAgain   = 5 * time.Second
	surveyTimeout = 10 * time.Second
)

// keepSurveying takes surveys until the context ends: from time to time, after the APIs changed, and soon after one
// that failed.
func (l *live) keepSurveying(ctx context.Context) {
	soon, later := false, false
	timer := time.NewTimer(surveyEvery)
	defer timer.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-l.resurvey:
			if !soon {
				soon, later = true, true
				timer.Reset(surveySoon)
			}
			continue
		case <-timer.C:
		}
		soon = false
		ok := l.survey(ctx)
		switch {
		case !ok:
			timer.Reset(surveyAgain)
		case later:
			later = false
			timer.Reset(surveyLater)
		default:
			timer.Reset(surveyEvery)
		}
	}
}

// survey takes a survey and reports whether the API server answered.
func (l *live) survey(ctx context.Context) bool {
	asking, cancel := context.WithTimeout(ctx, surveyTimeout)
	defer cancel()
	last, _ := l.lastSurvey()
	now, err := l.clients.take(asking, last)
	if ctx.Err() != nil {
		return false
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if err == nil {
		l.surveyed = now
	}
	l.unanswered.note(err)
	l.changed()
	return err == nil
}

// lastSurvey returns the last survey that succeeded, and how later ones failed, if they did.
func (l *live) lastSurvey() (*survey, failure) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.surveyed, l.unanswered
}
