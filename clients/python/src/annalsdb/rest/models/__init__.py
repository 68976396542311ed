"""Contains all the data models used in inputs/outputs"""

from .accepted import Accepted
from .accepted_messages import AcceptedMessages
from .accepted_state import AcceptedState
from .added_triple import AddedTriple
from .agent import Agent
from .agent_page import AgentPage
from .agent_rest import AgentRest
from .agent_settings import AgentSettings
from .answer import Answer
from .answer_form import AnswerForm
from .asking_query import AskingQuery
from .asking_query_methods_item import AskingQueryMethodsItem
from .asking_query_rerank_item import AskingQueryRerankItem
from .asking_query_schema import AskingQuerySchema
from .asking_query_scopes_item import AskingQueryScopesItem
from .asking_query_trust import AskingQueryTrust
from .audit_break import AuditBreak
from .audit_entry import AuditEntry
from .audit_head import AuditHead
from .audit_page import AuditPage
from .audit_verification import AuditVerification
from .axis import Axis
from .bar import Bar
from .bar_kind import BarKind
from .bar_state import BarState
from .belief import Belief
from .block import Block
from .block_edit import BlockEdit
from .block_page import BlockPage
from .bound import Bound
from .bound_basis import BoundBasis
from .bringer import Bringer
from .bringer_by import BringerBy
from .bringers_body import BringersBody
from .build_report import BuildReport
from .built import Built
from .bulk_report import BulkReport
from .certificate import Certificate
from .certificate_scope import CertificateScope
from .change import Change
from .change_basis import ChangeBasis
from .change_event import ChangeEvent
from .change_page import ChangePage
from .citation import Citation
from .citation_kind import CitationKind
from .community_hit import CommunityHit
from .community_page import CommunityPage
from .condition import Condition
from .confirmed_body import ConfirmedBody
from .context_answer import ContextAnswer
from .context_query import ContextQuery
from .context_query_encoding import ContextQueryEncoding
from .context_query_methods_item import ContextQueryMethodsItem
from .context_query_rerank_item import ContextQueryRerankItem
from .context_query_scopes_item import ContextQueryScopesItem
from .context_query_trust import ContextQueryTrust
from .decide_review_kind import DecideReviewKind
from .decided_body import DecidedBody
from .decision import Decision
from .delivery import Delivery
from .delivery_event import DeliveryEvent
from .delivery_list import DeliveryList
from .delivery_state import DeliveryState
from .diff import Diff
from .document_page import DocumentPage
from .edit import Edit
from .ending import Ending
from .entity import Entity
from .entity_change import EntityChange
from .entity_difference import EntityDifference
from .entity_difference_change import EntityDifferenceChange
from .entity_hit import EntityHit
from .entity_page import EntityPage
from .entity_trace import EntityTrace
from .entity_type import EntityType
from .entity_type_attributes import EntityTypeAttributes
from .entity_version import EntityVersion
from .entity_versions import EntityVersions
from .episode import Episode
from .episode_hit import EpisodeHit
from .episode_page import EpisodePage
from .error_detail import ErrorDetail
from .expected import Expected
from .expected_kind import ExpectedKind
from .expected_places import ExpectedPlaces
from .explained_hit import ExplainedHit
from .explained_hit_places import ExplainedHitPlaces
from .explanation import Explanation
from .fact import Fact
from .fact_change import FactChange
from .fact_change_attributes import FactChangeAttributes
from .fact_difference import FactDifference
from .fact_difference_change import FactDifferenceChange
from .fact_hit import FactHit
from .fact_hit_kind import FactHitKind
from .fact_hit_trust import FactHitTrust
from .fact_kind import FactKind
from .fact_page import FactPage
from .fact_trace import FactTrace
from .fact_trust import FactTrust
from .fact_type import FactType
from .fact_type_attributes import FactTypeAttributes
from .fact_versions import FactVersions
from .file import File
from .fill import Fill
from .filter_ import Filter
from .former_name import FormerName
from .group import Group
from .group_change import GroupChange
from .group_details import GroupDetails
from .group_details_episodes import GroupDetailsEpisodes
from .group_page import GroupPage
from .group_waiting import GroupWaiting
from .hook import Hook
from .hook_events_item import HookEventsItem
from .lane import Lane
from .lanes import Lanes
from .learned import Learned
from .learned_fact import LearnedFact
from .learned_fact_kind import LearnedFactKind
from .learned_fact_role import LearnedFactRole
from .learned_fact_trust import LearnedFactTrust
from .learned_list import LearnedList
from .list_episodes_source import ListEpisodesSource
from .list_episodes_state import ListEpisodesState
from .list_episodes_trust import ListEpisodesTrust
from .list_facts_trust import ListFactsTrust
from .list_review_kind import ListReviewKind
from .list_skills_state import ListSkillsState
from .made_webhook import MadeWebhook
from .made_webhook_events_item import MadeWebhookEventsItem
from .mark import Mark
from .mark_change import MarkChange
from .mark_change_mark import MarkChangeMark
from .mark_page import MarkPage
from .marked import Marked
from .marked_kind import MarkedKind
from .marked_things import MarkedThings
from .marks import Marks
from .member import Member
from .membership import Membership
from .mentioned import Mentioned
from .merge_into import MergeInto
from .message import Message
from .message_page import MessagePage
from .moved import Moved
from .moved_rows import MovedRows
from .new_agent import NewAgent
from .new_block import NewBlock
from .new_document import NewDocument
from .new_episode import NewEpisode
from .new_episode_metadata import NewEpisodeMetadata
from .new_episode_source import NewEpisodeSource
from .new_event import NewEvent
from .new_event_kind import NewEventKind
from .new_group import NewGroup
from .new_group_kind import NewGroupKind
from .new_message import NewMessage
from .new_message_metadata import NewMessageMetadata
from .new_messages import NewMessages
from .new_passage import NewPassage
from .new_run import NewRun
from .new_run_environment import NewRunEnvironment
from .new_run_metadata import NewRunMetadata
from .new_run_outcome import NewRunOutcome
from .new_triple import NewTriple
from .new_triple_attributes import NewTripleAttributes
from .new_triple_source_attributes import NewTripleSourceAttributes
from .new_triple_target_attributes import NewTripleTargetAttributes
from .new_user import NewUser
from .new_user_metadata import NewUserMetadata
from .new_webhook import NewWebhook
from .new_webhook_events_item import NewWebhookEventsItem
from .noted_mark import NotedMark
from .noted_mark_kind import NotedMarkKind
from .noted_mark_mark import NotedMarkMark
from .observation import Observation
from .observation_page import ObservationPage
from .observation_versions import ObservationVersions
from .observed import Observed
from .ontology import Ontology
from .overview import Overview
from .passage import Passage
from .passage_page import PassagePage
from .picture import Picture
from .picture_community import PictureCommunity
from .picture_entities import PictureEntities
from .picture_facts import PictureFacts
from .picture_span import PictureSpan
from .placed import Placed
from .preview import Preview
from .problem import Problem
from .problem_detail import ProblemDetail
from .query import Query
from .query_methods_item import QueryMethodsItem
from .query_rerank_item import QueryRerankItem
from .query_scopes_item import QueryScopesItem
from .query_trust import QueryTrust
from .reason import Reason
from .refused import Refused
from .rejection import Rejection
from .rejection_authority import RejectionAuthority
from .rejection_page import RejectionPage
from .release_body import ReleaseBody
from .released_body import ReleasedBody
from .removal import Removal
from .removed import Removed
from .restored import Restored
from .retention import Retention
from .retried import Retried
from .review_decision import ReviewDecision
from .review_decision_decision import ReviewDecisionDecision
from .review_page import ReviewPage
from .reviewed import Reviewed
from .reviewed_kind import ReviewedKind
from .run_step import RunStep
from .said import Said
from .said_page import SaidPage
from .salient import Salient
from .saying import Saying
from .search_agent_recall_roles_item import SearchAgentRecallRolesItem
from .search_result import SearchResult
from .sentence import Sentence
from .settings import Settings
from .skill import Skill
from .skill_decision import SkillDecision
from .skill_decision_decision import SkillDecisionDecision
from .skill_list import SkillList
from .skill_state import SkillState
from .skill_versions import SkillVersions
from .slot import Slot
from .speaker import Speaker
from .split_off import SplitOff
from .standing_answer import StandingAnswer
from .standing_list import StandingList
from .standing_question import StandingQuestion
from .standing_question_schema import StandingQuestionSchema
from .standing_versions import StandingVersions
from .step import Step
from .stream_agent_event_error import StreamAgentEventError
from .stream_agent_event_rest import StreamAgentEventRest
from .stream_agent_event_step import StreamAgentEventStep
from .summary import Summary
from .thread import Thread
from .thread_hit import ThreadHit
from .thread_page import ThreadPage
from .time_test import TimeTest
from .times import Times
from .timing import Timing
from .trace import Trace
from .trace_list import TraceList
from .traced_episode import TracedEpisode
from .traced_episode_role import TracedEpisodeRole
from .traced_version import TracedVersion
from .traced_version_kind import TracedVersionKind
from .traced_version_trust import TracedVersionTrust
from .trust_policy import TrustPolicy
from .turn import Turn
from .type_pair import TypePair
from .undone import Undone
from .usage import Usage
from .usage_list import UsageList
from .user import User
from .user_fields import UserFields
from .user_fields_metadata import UserFieldsMetadata
from .user_page import UserPage
from .waiting import Waiting
from .waiting_groups import WaitingGroups
from .webhook_list import WebhookList
from .whoami import Whoami
from .whoami_authority import WhoamiAuthority
from .whoami_rights import WhoamiRights
from .why_answer import WhyAnswer
from .why_query import WhyQuery
from .why_query_methods_item import WhyQueryMethodsItem
from .why_query_rerank_item import WhyQueryRerankItem
from .why_query_scopes_item import WhyQueryScopesItem
from .why_query_trust import WhyQueryTrust

__all__ = (
    "Accepted",
    "AcceptedMessages",
    "AcceptedState",
    "AddedTriple",
    "Agent",
    "AgentPage",
    "AgentRest",
    "AgentSettings",
    "Answer",
    "AnswerForm",
    "AskingQuery",
    "AskingQueryMethodsItem",
    "AskingQueryRerankItem",
    "AskingQuerySchema",
    "AskingQueryScopesItem",
    "AskingQueryTrust",
    "AuditBreak",
    "AuditEntry",
    "AuditHead",
    "AuditPage",
    "AuditVerification",
    "Axis",
    "Bar",
    "BarKind",
    "BarState",
    "Belief",
    "Block",
    "BlockEdit",
    "BlockPage",
    "Bound",
    "BoundBasis",
    "Bringer",
    "BringerBy",
    "BringersBody",
    "BuildReport",
    "Built",
    "BulkReport",
    "Certificate",
    "CertificateScope",
    "Change",
    "ChangeBasis",
    "ChangeEvent",
    "ChangePage",
    "Citation",
    "CitationKind",
    "CommunityHit",
    "CommunityPage",
    "Condition",
    "ConfirmedBody",
    "ContextAnswer",
    "ContextQuery",
    "ContextQueryEncoding",
    "ContextQueryMethodsItem",
    "ContextQueryRerankItem",
    "ContextQueryScopesItem",
    "ContextQueryTrust",
    "DecideReviewKind",
    "DecidedBody",
    "Decision",
    "Delivery",
    "DeliveryEvent",
    "DeliveryList",
    "DeliveryState",
    "Diff",
    "DocumentPage",
    "Edit",
    "Ending",
    "Entity",
    "EntityChange",
    "EntityDifference",
    "EntityDifferenceChange",
    "EntityHit",
    "EntityPage",
    "EntityTrace",
    "EntityType",
    "EntityTypeAttributes",
    "EntityVersion",
    "EntityVersions",
    "Episode",
    "EpisodeHit",
    "EpisodePage",
    "ErrorDetail",
    "Expected",
    "ExpectedKind",
    "ExpectedPlaces",
    "ExplainedHit",
    "ExplainedHitPlaces",
    "Explanation",
    "Fact",
    "FactChange",
    "FactChangeAttributes",
    "FactDifference",
    "FactDifferenceChange",
    "FactHit",
    "FactHitKind",
    "FactHitTrust",
    "FactKind",
    "FactPage",
    "FactTrace",
    "FactTrust",
    "FactType",
    "FactTypeAttributes",
    "FactVersions",
    "File",
    "Fill",
    "Filter",
    "FormerName",
    "Group",
    "GroupChange",
    "GroupDetails",
    "GroupDetailsEpisodes",
    "GroupPage",
    "GroupWaiting",
    "Hook",
    "HookEventsItem",
    "Lane",
    "Lanes",
    "Learned",
    "LearnedFact",
    "LearnedFactKind",
    "LearnedFactRole",
    "LearnedFactTrust",
    "LearnedList",
    "ListEpisodesSource",
    "ListEpisodesState",
    "ListEpisodesTrust",
    "ListFactsTrust",
    "ListReviewKind",
    "ListSkillsState",
    "MadeWebhook",
    "MadeWebhookEventsItem",
    "Mark",
    "MarkChange",
    "MarkChangeMark",
    "MarkPage",
    "Marked",
    "MarkedKind",
    "MarkedThings",
    "Marks",
    "Member",
    "Membership",
    "Mentioned",
    "MergeInto",
    "Message",
    "MessagePage",
    "Moved",
    "MovedRows",
    "NewAgent",
    "NewBlock",
    "NewDocument",
    "NewEpisode",
    "NewEpisodeMetadata",
    "NewEpisodeSource",
    "NewEvent",
    "NewEventKind",
    "NewGroup",
    "NewGroupKind",
    "NewMessage",
    "NewMessageMetadata",
    "NewMessages",
    "NewPassage",
    "NewRun",
    "NewRunEnvironment",
    "NewRunMetadata",
    "NewRunOutcome",
    "NewTriple",
    "NewTripleAttributes",
    "NewTripleSourceAttributes",
    "NewTripleTargetAttributes",
    "NewUser",
    "NewUserMetadata",
    "NewWebhook",
    "NewWebhookEventsItem",
    "NotedMark",
    "NotedMarkKind",
    "NotedMarkMark",
    "Observation",
    "ObservationPage",
    "ObservationVersions",
    "Observed",
    "Ontology",
    "Overview",
    "Passage",
    "PassagePage",
    "Picture",
    "PictureCommunity",
    "PictureEntities",
    "PictureFacts",
    "PictureSpan",
    "Placed",
    "Preview",
    "Problem",
    "ProblemDetail",
    "Query",
    "QueryMethodsItem",
    "QueryRerankItem",
    "QueryScopesItem",
    "QueryTrust",
    "Reason",
    "Refused",
    "Rejection",
    "RejectionAuthority",
    "RejectionPage",
    "ReleaseBody",
    "ReleasedBody",
    "Removal",
    "Removed",
    "Restored",
    "Retention",
    "Retried",
    "ReviewDecision",
    "ReviewDecisionDecision",
    "ReviewPage",
    "Reviewed",
    "ReviewedKind",
    "RunStep",
    "Said",
    "SaidPage",
    "Salient",
    "Saying",
    "SearchAgentRecallRolesItem",
    "SearchResult",
    "Sentence",
    "Settings",
    "Skill",
    "SkillDecision",
    "SkillDecisionDecision",
    "SkillList",
    "SkillState",
    "SkillVersions",
    "Slot",
    "Speaker",
    "SplitOff",
    "StandingAnswer",
    "StandingList",
    "StandingQuestion",
    "StandingQuestionSchema",
    "StandingVersions",
    "Step",
    "StreamAgentEventError",
    "StreamAgentEventRest",
    "StreamAgentEventStep",
    "Summary",
    "Thread",
    "ThreadHit",
    "ThreadPage",
    "TimeTest",
    "Times",
    "Timing",
    "Trace",
    "TraceList",
    "TracedEpisode",
    "TracedEpisodeRole",
    "TracedVersion",
    "TracedVersionKind",
    "TracedVersionTrust",
    "TrustPolicy",
    "Turn",
    "TypePair",
    "Undone",
    "Usage",
    "UsageList",
    "User",
    "UserFields",
    "UserFieldsMetadata",
    "UserPage",
    "Waiting",
    "WaitingGroups",
    "WebhookList",
    "Whoami",
    "WhoamiAuthority",
    "WhoamiRights",
    "WhyAnswer",
    "WhyQuery",
    "WhyQueryMethodsItem",
    "WhyQueryRerankItem",
    "WhyQueryScopesItem",
    "WhyQueryTrust",
)
