package views

// FlowPolicy is what the page of a FlowSchema shows beside its layers.
type FlowPolicy struct {
	Level  FlowLevel
	Origin FlowOrigin
	Never  []FlowNever
}

// flowSchema fills in the page of a FlowSchema.
func (page *PolicyPage) flowSchema(c *Catalog, e *Entry) {
	s := schemaOf(e.Policy)
	reach := c.Flow().reach(s)
	page.Flow = &FlowPolicy{Level: newFlowLevel(s), Origin: newFlowOrigin(s), Never: newFlowNevers(reach)}
	page.Meta = []string{page.Kind, "precedence " + precedence(s), page.Flow.Origin.String()}
	page.Lede = append(page.Lede, e.Sentence...)
	page.TryText, page.TryHref = "", ""
	if reach.Witness != nil {
		page.TryText, page.TryHref = "Try a request that falls in it", lineHref(digestLine(reach.Witness))
	}
	page.Sections = []Section{{Layers: layerViews(e.Own, c.Namespaces)}}
}
