package zep

import (
	"cmp"
	"encoding/json"
	"slices"
	"strings"

	"github.com/google/uuid"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/service"
)

var episodeRoutes = []route{
	{"GET", "/graph/episodes/graph/{graph}", (*call).lastEpisodes},
	{"POST", "/graph/episodes/graph/{graph}", with((*call).listEpisodes)},
	{"GET", "/graph/episodes/user/{user}", (*call).lastEpisodes},
	{"POST", "/graph/episodes/user/{user}", with((*call).listEpisodes)},
	{"GET", "/graph/episodes/{episode}", (*call).getEpisode},
	{"PATCH", "/graph/episodes/{episode}", with((*call).updateEpisode)},
	{"DELETE", "/graph/episodes/{episode}", on((*call).episode, (*call).deleteEpisode)},
	{"GET", "/graph/episodes/{episode}/mentions", on((*call).episode, (*call).episodeMentions)},
	{"POST", "/graph/thread-summary/graph/{graph}", with((*call).listSummaries)},
	{"POST", "/graph/thread-summary/user/{user}", with((*call).listSummaries)},
}

func (c *call) lastEpisodes() (any, error) {
	last, err := whole("lastn", c.URL.Query().Get("lastn"), defaultPage, 1, annals.MaxRows)
	if err != nil {
		return nil, err
	}
	p, err := c.either(c.PathValue("user"), c.PathValue("graph"))
	if err != nil {
		return nil, err
	}
	episodes, err := p.Episodes(c.ctx(), annals.EpisodeFilter{GroupID: p.group, Limit: last})
	if err != nil {
		return nil, err
	}
	episodes, err = c.noted(p, episodes)
	return map[string]any{"episodes": views(episodes, c.episodeView)}, err
}

func (c *call) listEpisodes(in struct {
	listing
	Mentioned []string       `json:"mentioned_node_uuids"`
	Metadata  *metadataGroup `json:"episode_metadata_filters"`
},
) (any, error) {
	p, err := c.either(c.PathValue("user"), c.PathValue("graph"))
	if err != nil {
		return nil, err
	}
	in.Filters = searchFilters{EpisodeMetadata: in.Metadata}
	episodes, err := c.episodePage(p, in.listing, in.Mentioned)
	return views(episodes, c.episodeView), err
}

func (c *call) episodePage(p place, in listing, mentioned []string) ([]annals.Episode, error) {
	l, err := in.list(p.group, "created_at")
	if err != nil {
		return nil, err
	}
	if l.OrderBy == "created_at" { // what clients are shown as such
		l.OrderBy = "occurred_at"
	}
	if l.Mentions, err = uuids("mentioned_node_uuids", mentioned, maxListed); err != nil {
		return nil, err
	}
	episodes, err := p.ListEpisodes(c.ctx(), l)
	if err != nil {
		return nil, err
	}
	if len(episodes) > 0 {
		c.next(l, len(episodes), episodes[len(episodes)-1].ID)
	}
	return c.noted(p, episodes)
}

// episode returns the episode that the path names, and its memory.
func (c *call) episode() (place, annals.Episode, error) {
	p, id, err := c.holding(graph.KindEpisode, c.PathValue("episode"))
	if err != nil {
		return p, annals.Episode{}, err
	}
	e, err := p.Episode(c.ctx(), p.group, id)
	return p, e, err
}

func (c *call) getEpisode() (any, error) {
	p, e, err := c.episode()
	if err != nil {
		return nil, err
	}
	noted, err := c.noted(p, []annals.Episode{e})
	if err != nil {
		return nil, err
	}
	return c.episodeView(noted[0]), nil
}

func (c *call) updateEpisode(in struct {
	Metadata json.RawMessage `json:"metadata"`
},
) (any, error) {
	p, e, err := c.episode()
	if err != nil {
		return nil, err
	}
	e, err = c.changeMetadata(p, e.ID, in.Metadata)
	return c.episodeView(e), err
}

// deleteEpisode undoes an episode: the graph is as if it had never been added.
func (c *call) deleteEpisode(p place, e annals.Episode) (any, error) {
	_, err := p.DeleteEpisodes(c.ctx(), annals.Deletion{GroupID: p.group, EpisodeIDs: []uuid.UUID{e.ID}, AnyReader: true})
	return done, err
}

func (c *call) episodeMentions(p place, e annals.Episode) (any, error) {
	mentioned, err := p.EntitiesMentioned(c.ctx(), p.group, e.ID)
	if err != nil {
		return nil, err
	}
	stated, err := p.ListFacts(c.ctx(), service.List{GroupID: p.group, EpisodeIDs: []uuid.UUID{e.ID}, Limit: annals.MaxRows})
	if err != nil {
		return nil, err
	}
	nodes, err := c.nodesOf(p, mentioned)
	if err != nil {
		return nil, err
	}
	edges, err := c.edgesOf(p, stated)
	return map[string]any{"nodes": nodes, "edges": edges}, err
}

func (c *call) listSummaries(in listing) (any, error) {
	p, err := c.either(c.PathValue("user"), c.PathValue("graph"))
	if err != nil {
		return nil, err
	}
	threads, err := c.summaryPage(p, in)
	return views(threads, func(t annals.Thread) summaryView { return summaryOf(p.group, t) }), err
}

// summaryPage lists conversations that have a summary.
func (c *call) summaryPage(p place, in listing) ([]annals.Thread, error) {
	l, err := in.list(p.group, "created_at", "valid_at")
	if err != nil {
		return nil, err
	}
	threads, err := c.summarised(p)
	if err != nil {
		return nil, err
	}
	sortSummarised(threads, l)
	begin := min(l.Skip, len(threads))
	last := slices.IndexFunc(threads, func(t annals.Thread) bool { return summaryID(p.group, t) == l.After.String() })
	if last >= 0 {
		begin = last + 1
	}
	threads = threads[begin:min(begin+l.Limit, len(threads))]
	if len(threads) > 0 {
		c.next(l, len(threads), uuid.MustParse(summaryID(p.group, threads[len(threads)-1])))
	}
	return threads, nil
}

// summarised lists all conversations of a memory that have a summary.
func (c *call) summarised(p place) ([]annals.Thread, error) {
	var all []annals.Thread
	for f := (annals.ThreadFilter{GroupID: p.group, Limit: annals.MaxRows}); ; {
		threads, err := p.Threads(c.ctx(), f)
		if err != nil {
			return nil, err
		}
		for _, t := range threads {
			if t.Summary != "" && !isDocument(t.ID) {
				all = append(all, t)
			}
		}
		if len(threads) < annals.MaxRows {
			return all, nil
		}
		f.After = &threads[len(threads)-1]
	}
}

// sortSummarised sorts conversations as a list of summaries asks.
func sortSummarised(threads []annals.Thread, l service.List) {
	slices.SortFunc(threads, func(a, b annals.Thread) int {
		order := strings.Compare(summaryID(l.GroupID, a), summaryID(l.GroupID, b))
		switch l.OrderBy {
		case "created_at":
			order = cmp.Or(begun(a).Compare(begun(b)), order)
		case "valid_at":
			order = cmp.Or(a.SummarisedThrough.Compare(b.SummarisedThrough), order)
		}
		if !l.Ascending {
			return -order
		}
		return order
	})
}
