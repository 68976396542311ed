package migrations

// Exported for tests outside of the package.
const SelectObjects = selectObjects
