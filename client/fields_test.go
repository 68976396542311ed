package client_test

import (
	"reflect"
	"strings"
	"testing"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/graph"
)

// fields lists, for each type, the fields that the client sends, refuses or reads. The
// differences in docs/client.md count as handled.
var fields = map[any]string{
	new(annals.Episode): "GroupID ID Source Content Actor Role Name SourceDescription ThreadID OccurredAt Metadata ExternalID Deferred Previous ExpiresAt Force " +
		"CreatedAt State Attempts Error TakenBack Door WrittenBy Authority Marks",
	new(annals.Stored):        "ID New State Note",
	new(annals.EpisodeFilter): "GroupID State ThreadID Source Trust After Limit",
	new(annals.Undoing):       "GroupID EpisodeIDs AnyReader",
	new(annals.Undone):        "Episodes Replayed FactsRemoved FactsReopened FactsChanged FactsAdded EntitiesRemoved EntitiesChanged",
	new(annals.Erasure):       "GroupID UserID EpisodeIDs EntityID AnyReader Later Copies",
	new(annals.Certificate):   "Scope ErasedAt Episodes Removed Edited Emptied Tombstones Sentences Key EpisodeIDs Copies",
	new(annals.TraceEntry):    "Step Decision Subject Reason EntityID FactID",
	new(annals.Triple):        "GroupID Source Target Predicate Fact Attributes ValidAt InvalidAt More StatementID OccurredAt ExternalID Force",
	new(graph.TripleEnd):      "ID Name Label Attributes",
	new(annals.AddedTriple):   "EpisodeID SourceID TargetID FactID Repeated FactIDs",
	new(annals.FactEdit):      "Predicate Fact Attributes ValidAt InvalidAt AsKnownAt",
	new(annals.FactFilter):    "GroupID ValidAt KnownAt EntityID Trust ToldBy After Limit",
	new(annals.Fact): "GroupID ID SourceID TargetID Source Target Predicate Fact ToldAs Attributes Kind Valid Recorded SaidAt CreatedAt ExpiredAt BoundedBy " +
		"Trust DisputedBy StatementID Episodes Marks",
	new(annals.TimelineFilter): "GroupID AsOf KnownAt After Limit LatestFirst",
	new(annals.Change):         "At Event FactID Words RecordedAt Known",
	new(annals.DiffFilter):     "GroupID From To Limit",
	new(annals.Diff):           "From To Facts Entities",
	new(annals.FactChange):     "Change Before After ChangedAt CausedBy",
	new(annals.EntityChange):   "Change Before After MergedInto ChangedAt CausedBy",
	new(annals.EntityFilter):   "GroupID ValidAt KnownAt After Limit",
	new(annals.Entity):         "GroupID ID Name Aliases Labels Summary Attributes CreatedAt Recorded Mentions Marks",
	new(annals.Query): "GroupID Text Conversation AlsoIn Limit Scopes Methods Rerank Lambda Seeds SeedRecent Hops Center ValidAt KnownAt AskedAt IncludeEnded " +
		"Trust Filter MinScore MinFit Recency MentionBoost Replies Former Changes SaidByThen Pinned Explain",
	new(annals.Question):          "Query Tokens Schema",
	new(annals.Answer):            "Form By Text Sentences Data Slots Missing Shown Cut Why Without",
	new(annals.Construction):      "Tokens Hits Template Within Citations Words Task Encoding",
	new(annals.Result):            "Facts Entities Episodes Communities Observations Threads Answers Asked AsOf ValidAt KnownOf Without Explanation",
	new(annals.StandingFilter):    "GroupID ID ValidAt KnownAt EveryVersion",
	new(annals.StandingAnswer):    "GroupID ID Question Schema Tokens Answer AnsweredAt KnownFrom KnownUntil CreatedAt",
	new(annals.ObservationFilter): "GroupID EntityID ValidAt KnownAt Ended After Limit",
	new(annals.Observation):       "GroupID ID SubjectID Subject Predicate Text Reader Proof Against FirstSeen LastSeen Valid Recorded CreatedAt Facts Episodes",
	new(annals.CommunityFilter):   "GroupID KnownAt After Limit",
	new(annals.GroupFilter):       "Among After Limit",
	new(annals.Group):             "ID Kind Name Description TimeZone CreatedAt UpdatedAt Language LanguageFrom Force",
	new(annals.GroupChange):       "Name Description TimeZone",
	new(annals.ThreadFilter):      "GroupID After Limit",
	new(annals.Thread):            "ID Summary Messages Unsummarised LastAt Metadata CreatedAt SummarisedAt SummarisedThrough",
	new(annals.Retention):         "MaxAge MaxEpisodes AppliedAt",
	new(annals.Usage):             "Kind Prompt Model Calls Cached Repairs Failed InputTokens OutputTokens Cost Unpriced",
	new(annals.ExportOptions):     "Vectors",
	new(annals.ImportOptions):     "From Only DryRun GroupID Force Knows Report",
}

// The client sends or refuses every field of the library; it forgets none.
func TestEveryFieldIsDealtWith(t *testing.T) {
	t.Parallel()
	for value, want := range fields {
		typ := reflect.TypeOf(value).Elem()
		var got []string
		for i := range typ.NumField() {
			if typ.Field(i).IsExported() {
				got = append(got, typ.Field(i).Name)
			}
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%s has the fields\n%s, the client deals with\n%s; send, read or refuse what is new, and write it here", typ, strings.Join(got, " "), want)
		}
	}
}
