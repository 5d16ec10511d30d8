package scope

// Ending is what all layers of a policy together say, and which of them decided.
type Ending struct {
	Outcome Outcome
	// DecidedBy is the deciding layer and Layer its place among the policy's layers; empty
	// and -1 for an included request.
	DecidedBy LayerName
	Layer     int
	Effect    Effect
}

// Combine turns the steps of a policy's layers into its ending, stage by stage, in the API
// server's precedence: within a stage a "no" beats an error; the first stage that says
// "no" or fails settles it; what is not known leaves the outcome unknown unless some stage
// says "no" whatever the missing fact would be. A step without an outcome was not needed.
func (p *Policy) Combine(steps []Step, r *Request) Ending {
	var unknown *Ending
	for stage := StageMatch; stage <= StageOrder; stage++ {
		no, failed, open := firstOf(steps, stage)
		switch {
		case no >= 0:
			return p.decided(Excluded, no, p.whenExcludedBy(p.Layers[no].Name()))
		case open >= 0:
			if unknown == nil {
				e := p.decided(Unknown, open, NoEffect)
				unknown = &e
			}
			if failed >= 0 {
				return *unknown
			}
		case failed >= 0:
			if unknown != nil {
				return *unknown
			}
			return p.decided(Error, failed, steps[failed].OnError)
		}
	}
	if unknown != nil {
		return *unknown
	}
	return Ending{Outcome: Included, Layer: -1, Effect: p.WhenIncluded(r)}
}

// whenExcludedBy is the effect of a request that a layer leaves out.
func (p *Policy) whenExcludedBy(layer LayerName) Effect {
	if layer.OfWebhook() {
		return NotCalled
	}
	return p.WhenExcluded
}

func (p *Policy) decided(outcome Outcome, layer int, effect Effect) Ending {
	return Ending{Outcome: outcome, DecidedBy: p.Layers[layer].Name(), Layer: layer, Effect: effect}
}

// firstOf finds the first step of a stage that says "no", that fails, and that is open;
// -1 if there is none.
func firstOf(steps []Step, stage Stage) (no, failed, open int) {
	no, failed, open = -1, -1, -1
	for i, s := range steps {
		if s.Stage != stage {
			continue
		}
		switch {
		case s.Outcome == NoMatch && no < 0:
			no = i
		case s.Outcome == Failed && failed < 0:
			failed = i
		case s.Outcome == Open && open < 0:
			open = i
		}
	}
	return no, failed, open
}

// LeftOut reports whether the steps before the match conditions already leave the request
// out; nothing can bring it back then, and the conditions need not be asked.
func LeftOut(steps []Step) bool {
	no := false
	for _, s := range steps {
		if s.Outcome == Failed {
			return false
		}
		no = no || s.Outcome == NoMatch
	}
	return no
}
