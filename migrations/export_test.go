package migrations

// KnownQueueVersion lets a test hold it against River.
const KnownQueueVersion = queueVersion
