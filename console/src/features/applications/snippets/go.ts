import type { ClientSettings } from '../overview/env-file'
import { redirectPath, redirectPort } from './redirect-path'

export function go({ clientSecret, redirectUri, scopes }: ClientSettings): string {
  if (!redirectUri)
    return `// go get golang.org/x/oauth2
// First, in the shell: set -a; . ./.env; set +a
package main

import (
	"context"
	"fmt"
	"log"
	"os"

	"golang.org/x/oauth2/clientcredentials"
)

func main() {
	config := clientcredentials.Config{
		ClientID:     os.Getenv("OIDC_CLIENT_ID"),
		ClientSecret: os.Getenv("OIDC_CLIENT_SECRET"),
		TokenURL:     os.Getenv("OIDC_ISSUER") + "/token",
	}
	// A token for the application itself. config.Client returns an http.Client that renews it.
	token, err := config.Token(context.Background())
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(token.AccessToken)
}
`
  return `// go get github.com/coreos/go-oidc/v3/oidc golang.org/x/oauth2
// First, in the shell: set -a; . ./.env; set +a
package main

import (
	"context"
	"encoding/json"
	"log"
	"net/http"
	"os"

	"github.com/coreos/go-oidc/v3/oidc"
	"golang.org/x/oauth2"
)

func main() {
	provider, err := oidc.NewProvider(context.Background(), os.Getenv("OIDC_ISSUER"))
	if err != nil {
		log.Fatal(err)
	}
	config := oauth2.Config{
		ClientID:     os.Getenv("OIDC_CLIENT_ID"),${
      clientSecret
        ? `
		ClientSecret: os.Getenv("OIDC_CLIENT_SECRET"),`
        : ''
    }
		RedirectURL:  os.Getenv("OIDC_REDIRECT_URI"),
		Endpoint:     provider.Endpoint(),
		Scopes:       []string{${scopes.map((scope) => `"${scope}"`).join(', ')}},
	}
	verifier := provider.Verifier(&oidc.Config{ClientID: config.ClientID})

	http.HandleFunc("/login", func(w http.ResponseWriter, r *http.Request) {
		state, pkce := oauth2.GenerateVerifier(), oauth2.GenerateVerifier()
		remember(w, "state", state)
		remember(w, "pkce", pkce)
		http.Redirect(w, r, config.AuthCodeURL(state, oauth2.S256ChallengeOption(pkce)), http.StatusFound)
	})

	http.HandleFunc("${redirectPath(redirectUri)}", func(w http.ResponseWriter, r *http.Request) {
		state, err := r.Cookie("state")
		if err != nil || r.URL.Query().Get("state") != state.Value {
			http.Error(w, "invalid state", http.StatusBadRequest)
			return
		}
		pkce, err := r.Cookie("pkce")
		if err != nil {
			http.Error(w, "invalid state", http.StatusBadRequest)
			return
		}
		token, err := config.Exchange(r.Context(), r.URL.Query().Get("code"), oauth2.VerifierOption(pkce.Value))
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadGateway)
			return
		}
		raw, _ := token.Extra("id_token").(string)
		idToken, err := verifier.Verify(r.Context(), raw)
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadGateway)
			return
		}
		var claims map[string]any
		if err := idToken.Claims(&claims); err != nil {
			http.Error(w, err.Error(), http.StatusBadGateway)
			return
		}
		json.NewEncoder(w).Encode(claims)
	})

	log.Fatal(http.ListenAndServe("localhost:${redirectPort(redirectUri)}", nil))
}

func remember(w http.ResponseWriter, name, value string) {
	http.SetCookie(w, &http.Cookie{Name: name, Value: value, Path: "/", MaxAge: 600, HttpOnly: true, SameSite: http.SameSiteLaxMode})
}
`
}
