package rest

import (
	"context"
	"encoding/json"
	"net/http"
	"time"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/internal/each"
	"github.com/annalsdb/annals/internal/input"
	"github.com/annalsdb/annals/internal/server"
	"github.com/annalsdb/annals/internal/service"
)

// userJSON is the JSON form of a user, the person to whom a group belongs.
type userJSON struct {
	ID        string          `json:"id" doc:"Of their group"`
	Email     string          `json:"email,omitempty"`
	FirstName string          `json:"first_name,omitempty"`
	LastName  string          `json:"last_name,omitempty"`
	TimeZone  string          `json:"time_zone,omitempty" doc:"An IANA name"`
	Metadata  json.RawMessage `json:"metadata" doc:"Yours"`
	CreatedAt time.Time       `json:"created_at"`
	UpdatedAt time.Time       `json:"updated_at"`
}

func userOf(u service.User) userJSON {
	return userJSON{
		ID: u.GroupID, Email: u.Email, FirstName: u.FirstName, LastName: u.LastName, TimeZone: u.TimeZone, Metadata: u.Metadata,
		CreatedAt: u.CreatedAt, UpdatedAt: u.UpdatedAt,
	}
}

type userPage struct {
	Users []userJSON `json:"users"`
	Total int        `json:"total" doc:"On all pages"`
}

// OneUser identifies a user in a path.
type OneUser struct {
	User string `path:"user" maxLength:"200" doc:"Whose group it is"`
}

func (a *api) users() {
	tags := []string{"users"}
	const all, one = "/v1/users", "/v1/users/{user}"
	add(a, op("list-users", "GET", all, tags, "List users, the newest first",
		"All of them; those of the key, where it opens only some."), calling(a.listUsers))
	add(a, op("create-user", "POST", all, tags, "Make a user with a group of their own").answering(http.StatusCreated), calling(a.createUser))
	add(a, op("get-user", "GET", one, tags, "Get a user"),
		func(ctx context.Context, in *OneUser) (*body[userJSON], error) {
			_, u, err := a.user(ctx, in.User)
			return answer(userOf(u), err)
		})
	add(a, op("update-user", "PATCH", one, tags, "Change what is noted about a user"), calling(a.updateUser))
	add(a, op("erase-user", "DELETE", one, tags, "Erase a user and their group for good"),
		func(ctx context.Context, in *OneUser) (*body[removed], error) {
			client, _, err := a.user(ctx, in.User)
			if err != nil {
				return nil, err
			}
			return erased(client.Erase(ctx, annals.Erasure{UserID: in.User, Later: true}))
		})
	add(a, op("list-user-threads", "GET", one+"/threads", tags, "List a user's conversations, the latest first"),
		func(ctx context.Context, in *struct {
			OneUser
			input.Page
		},
		) (*body[threadPage], error) {
			client, _, err := a.user(ctx, in.User)
			if err != nil {
				return nil, err
			}
			return threadsOf(ctx, client, in.User, in.Page)
		})
}

// user returns a user, with a client of their group.
func (a *api) user(ctx context.Context, id string) (*annals.Client, service.User, error) {
	client, err := a.server.ClientIn(ctx, id)
	if err != nil {
		return nil, service.User{}, err
	}
	u, err := service.New(client).User(ctx, id)
	return client, u, err
}

func (a *api) listUsers(ctx context.Context, _ *input.ListUsers, page service.Page) (userPage, error) {
	page.Within = server.CallerOf(ctx).Within()
	users, total, err := service.New(a.server.All()).Users(ctx, page)
	return userPage{Users: each.Of(users, userOf), Total: total}, err
}

func (a *api) createUser(ctx context.Context, in *struct{ Body input.NewUser }, u service.User) (userJSON, error) {
	client, err := a.server.ClientIn(ctx, in.Body.ID)
	if err != nil {
		return userJSON{}, err
	}
	u, err = service.New(client).CreateUser(ctx, u)
	return userOf(u), err
}

func (a *api) updateUser(ctx context.Context, in *struct {
	OneUser
	Body input.UserFields
}, change service.UserChange,
) (userJSON, error) {
	client, err := a.server.ClientIn(ctx, in.User)
	if err != nil {
		return userJSON{}, err
	}
	u, err := service.New(client).UpdateUser(ctx, in.User, change)
	return userOf(u), err
}
