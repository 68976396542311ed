package migrations

// For tests, which have to be outside of the package.
const SelectObjects = selectObjects
