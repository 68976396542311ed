package dates

// MonthNames lets tests go through all names of months.
var MonthNames = monthNames
