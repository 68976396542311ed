-- Run as {owner} after the first migration and after each upgrade.
GRANT USAGE ON SCHEMA annals, annals_internal TO {app};
GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA annals, annals_internal TO {app};
REVOKE INSERT, UPDATE, DELETE ON annals.migrations FROM {app};
GRANT USAGE ON ALL SEQUENCES IN SCHEMA annals_internal TO {app};
GRANT EXECUTE ON FUNCTION annals_internal.add_tombstone(text, text, text), annals_internal.tombstone_key(),
    annals_internal.restore_tombstones(text, text[], bytea[], bytea[], integer[]), annals_internal.redact_erased(text, text), annals_internal.erased_episodes(text, bytea[]),
    annals_internal.copy_tombstones(text, text, boolean), annals_internal.copies_of(text), annals_internal.note_erasure(text, text, jsonb, text[]), annals_internal.erase_group(text),
    annals_internal.has_tombstone(text, bytea[]), annals_internal.tombstone_hash(text, text), annals_internal.keyed_hash(text, bytea), annals_internal.repeats_erased(text, jsonb, boolean),
    annals_internal.erased_texts_in(text, jsonb, boolean), annals_internal.erased_run_candidates(text, text), annals_internal.erased_sentences(text, text), annals_internal.sentence_fingerprint(text),
    annals_internal.longest_word_hash(text), annals_internal.word_hash_seed(), annals_internal.remove_ended_jobs(text), annals_internal.complete_webhook_batches(text) TO {app};
