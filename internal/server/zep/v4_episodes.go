package zep

import (
	"encoding/json"

	"github.com/google/uuid"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/graph"
)

var v4EpisodeRoutes = []route{
	{"POST", "/graphs/{graph}/episodes", v4With((*call).v4AddEpisode)},
	{"POST", "/graphs/{graph}/episodes/list", v4With((*call).v4ListEpisodes)},
	{"GET", "/graphs/{graph}/episodes/{episode}", on((*call).episodeIn, (*call).v4GetEpisode)},
	{"PATCH", "/graphs/{graph}/episodes/{episode}", v4With((*call).v4UpdateEpisode)},
	{"DELETE", "/graphs/{graph}/episodes/{episode}", on((*call).episodeIn, (*call).v4DeleteEpisode)},
	{"GET", "/graphs/{graph}/documents/{document}/episodes", on((*call).graphIn, (*call).v4DocumentEpisodes)},
	{"POST", "/graphs/{graph}/thread-summaries/list", v4With((*call).v4ListSummaries)},
}

// episodeIn returns the episode that the path names, and its memory.
func (c *call) episodeIn() (place, annals.Episode, error) {
	p, _, err := c.graphIn()
	if err != nil {
		return p, annals.Episode{}, err
	}
	id, err := c.uuidIn("episode")
	if err != nil {
		return p, annals.Episode{}, err
	}
	e, err := p.Episode(c.ctx(), p.group, id)
	if err != nil && annals.CodeOf(err) == annals.CodeNotFound {
		err = notFound("episode not found: " + id.String())
	}
	return p, e, err
}

func (c *call) v4AddEpisode(in struct {
	Data       string          `json:"data"`
	Type       string          `json:"type"`
	Reference  string          `json:"reference_time"`
	Metadata   json.RawMessage `json:"metadata"`
	SourceWhat string          `json:"source_description"`
	DocumentID string          `json:"document_id"`
	Strict     bool            `json:"strict_ontology"`
},
) (any, error) {
	c.strict(in.Strict)
	p, _, err := c.graphIn()
	if err != nil {
		return nil, err
	}
	if in.Type == "" {
		in.Type = "text"
	}
	stored, id, err := c.addTo(p, []newData{{
		Data: in.Data, Type: in.Type, CreatedAt: in.Reference, Metadata: in.Metadata, SourceWhat: in.SourceWhat, DocumentID: in.DocumentID,
	}})
	if err != nil {
		return nil, err
	}
	task, err := c.v4TaskOf(id, "graph.add")
	if err != nil {
		return nil, err
	}
	return accepted(map[string]any{"episode": p.v4Episode(stored[0]), "task": task})
}

func (c *call) v4ListEpisodes(in struct {
	Filters v4Filters `json:"filters"`
},
) (any, error) {
	p, _, err := c.graphIn()
	if err != nil {
		return nil, err
	}
	l, err := c.v4Listing(in.Filters, "mentioned_node_uuids", "metadata_filters")
	if err != nil {
		return nil, err
	}
	episodes, err := c.episodePage(p, l, in.Filters.MentionedNodeUUIDs)
	return listed4(c, episodes, p.v4Episode), err
}

func (c *call) v4GetEpisode(p place, e annals.Episode) (any, error) {
	noted, err := c.noted(p, []annals.Episode{e})
	if err != nil {
		return nil, err
	}
	return p.v4Episode(noted[0]), nil
}

func (c *call) v4UpdateEpisode(in struct {
	Metadata json.RawMessage `json:"metadata"`
},
) (any, error) {
	p, e, err := c.episodeIn()
	if err != nil {
		return nil, err
	}
	e, err = c.changeMetadata(p, e.ID, in.Metadata)
	return p.v4Episode(e), err
}

func (c *call) v4DeleteEpisode(p place, e annals.Episode) (any, error) {
	_, err := p.DeleteEpisodes(c.ctx(), annals.Deletion{GroupID: p.group, EpisodeIDs: []uuid.UUID{e.ID}, AnyReader: true})
	if err != nil {
		return nil, err
	}
	return acceptedTask("graph.episode.delete")
}

func (c *call) v4DocumentEpisodes(p place, _ annals.Group) (any, error) {
	s, err := c.stretch4(defaultPage, annals.MaxRows-1)
	if err != nil {
		return nil, err
	}
	parts, err := p.ThreadMessages(c.ctx(), p.group, documentMark+c.PathValue("document"), s.skip, s.size+1)
	if err != nil {
		return nil, err
	}
	if len(parts) == 0 && s.skip == 0 {
		return nil, notFound("document not found: " + c.PathValue("document"))
	}
	parts, err = c.noted(p, parts)
	return page4(s, parts, p.v4Episode), err
}

func (c *call) v4ListSummaries(in struct {
	Filters v4Filters `json:"filters"`
},
) (any, error) {
	p, _, err := c.graphIn()
	if err != nil {
		return nil, err
	}
	if err := in.Filters.only(); err != nil {
		return nil, graph.Invalid("filters", "are not there for lists of summaries")
	}
	l, err := c.v4Listing(v4Filters{})
	if err != nil {
		return nil, err
	}
	threads, err := c.summaryPage(p, l)
	return listed4(c, threads, p.v4Summary), err
}
