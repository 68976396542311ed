package explorer

import (
	"testing"
	"time"
)

// A link that was not used in time signs nobody in.
func TestAnInvitationEnds(t *testing.T) {
	t.Parallel()
	for _, left := range []time.Duration{-time.Second, time.Minute} {
		invitation := Invite("a-key")
		if until := time.Until(invitation.until); until > standing || until < standing-time.Minute {
			t.Fatalf("it stands for %s", until)
		}
		invitation.until = time.Now().Add(left)
		if taken := invitation.take(invitation.Code()); taken != (left > 0) {
			t.Errorf("with %s left: %v", left, taken)
		}
	}
}
