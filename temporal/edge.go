package temporal

import "time"

// edge is where the last days of a period begin, and how exactly such words speak.
type edge struct {
	start time.Time
	gran  Granularity
}

// lastDays are those that "the end of" a period means: of a week from Friday on, of a month, a
// quarter or a year the last seven days, of a season its last month, of a decade its last year.
// Nobody who says so tells the day: the end of a year is known to the month.
func lastDays(of Interval, g Granularity) edge {
	switch g {
	case Weekend:
		return edge{}
	case Week:
		return edge{of.End.AddDate(0, 0, -3), Week}
	case Month, Quarter, Year:
		return edge{of.End.AddDate(0, 0, -7), Month}
	case Season:
		return edge{addMonths(of.End, -1), Month}
	case Decade:
		return edge{addMonths(of.End, -12), Year}
	case Century:
		return edge{addMonths(of.End, -120), Decade}
	}
	return edge{}
}

// narrow moves the start of a stretch to where the last days begin.
func (e edge) narrow(v Validity) Validity {
	if e.gran == Unknown || v.Start.IsZero() {
		return v
	}
	v.Start, v.From.Precision = e.start, e.gran.Precision()
	if v.Until.Precision != Unmeasured && precisionUnits[v.Until.Precision] > e.gran {
		v.Until.Precision = e.gran.Precision()
	}
	return v
}
