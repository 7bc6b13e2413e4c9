CREATE TABLE "external_identities" (
	"provider_id" uuid NOT NULL,
	"subject" text NOT NULL,
	"user_id" uuid NOT NULL,
	"group_ids" uuid[] DEFAULT '{}' NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"last_used_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "external_identities_provider_id_subject_pk" PRIMARY KEY("provider_id","subject")
);
--> statement-breakpoint
CREATE TABLE "sso_attempts" (
	"hash" "bytea" PRIMARY KEY NOT NULL,
	"provider_id" uuid NOT NULL,
	"provider_version" integer NOT NULL,
	"kind" text NOT NULL,
	"browser_hash" "bytea" NOT NULL,
	"payload" jsonb NOT NULL,
	"return_to" text,
	"test_run" uuid,
	"created_at" timestamp (3) with time zone NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "sso_providers" (
	"id" uuid PRIMARY KEY NOT NULL,
	"organization_id" uuid NOT NULL,
	"name" text NOT NULL,
	"type" text NOT NULL,
	"protocol" text NOT NULL,
	"enabled" boolean NOT NULL,
	"auto_provision" boolean NOT NULL,
	"allowed_domains" text[] NOT NULL,
	"attribute_mapping" jsonb NOT NULL,
	"trusts_email" boolean NOT NULL,
	"trusts_mfa" boolean NOT NULL,
	"saml_entity_id" text,
	"saml_sso_url" text,
	"saml_slo_url" text,
	"saml_certificates" text[] DEFAULT '{}' NOT NULL,
	"saml_metadata_url" text,
	"saml_metadata_checked_at" timestamp (3) with time zone,
	"saml_metadata_error" text,
	"allow_idp_initiated" boolean DEFAULT false NOT NULL,
	"saml_required_signature" text DEFAULT 'any' NOT NULL,
	"oidc_issuer" text,
	"oidc_client_id" text,
	"oidc_client_secret" text,
	"oidc_auth_url" text,
	"oidc_token_url" text,
	"oidc_userinfo_url" text,
	"oidc_scopes" text[] DEFAULT '{}' NOT NULL,
	"version" integer NOT NULL,
	"saved_by" uuid,
	"saved_permissions" text[] NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "sso_seen_messages" (
	"provider_id" uuid NOT NULL,
	"hash" "bytea" NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "sso_seen_messages_provider_id_hash_pk" PRIMARY KEY("provider_id","hash")
);
--> statement-breakpoint
CREATE TABLE "sso_sessions" (
	"session_id" uuid PRIMARY KEY NOT NULL,
	"provider_id" uuid NOT NULL,
	"subject" text NOT NULL,
	"session_index" text,
	"created_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "sso_sign_ins" (
	"id" uuid PRIMARY KEY NOT NULL,
	"provider_id" uuid NOT NULL,
	"organization_id" uuid NOT NULL,
	"kind" text NOT NULL,
	"outcome" text,
	"error" text,
	"detail" text,
	"user_id" uuid,
	"checks" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"attributes" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "team_domains" (
	"organization_id" uuid NOT NULL,
	"domain" text NOT NULL,
	"token" text NOT NULL,
	"verified_at" timestamp (3) with time zone,
	"checked_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "team_domains_organization_id_domain_pk" PRIMARY KEY("organization_id","domain")
);
--> statement-breakpoint
ALTER TABLE "external_identities" ADD CONSTRAINT "external_identities_provider_id_sso_providers_id_fk" FOREIGN KEY ("provider_id") REFERENCES "public"."sso_providers"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "external_identities" ADD CONSTRAINT "external_identities_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sso_attempts" ADD CONSTRAINT "sso_attempts_provider_id_sso_providers_id_fk" FOREIGN KEY ("provider_id") REFERENCES "public"."sso_providers"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sso_providers" ADD CONSTRAINT "sso_providers_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organizations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sso_providers" ADD CONSTRAINT "sso_providers_saved_by_users_id_fk" FOREIGN KEY ("saved_by") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sso_seen_messages" ADD CONSTRAINT "sso_seen_messages_provider_id_sso_providers_id_fk" FOREIGN KEY ("provider_id") REFERENCES "public"."sso_providers"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sso_sessions" ADD CONSTRAINT "sso_sessions_session_id_sessions_id_fk" FOREIGN KEY ("session_id") REFERENCES "public"."sessions"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sso_sessions" ADD CONSTRAINT "sso_sessions_provider_id_sso_providers_id_fk" FOREIGN KEY ("provider_id") REFERENCES "public"."sso_providers"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sso_sign_ins" ADD CONSTRAINT "sso_sign_ins_provider_id_sso_providers_id_fk" FOREIGN KEY ("provider_id") REFERENCES "public"."sso_providers"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sso_sign_ins" ADD CONSTRAINT "sso_sign_ins_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organizations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sso_sign_ins" ADD CONSTRAINT "sso_sign_ins_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "team_domains" ADD CONSTRAINT "team_domains_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organizations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "external_identities_user" ON "external_identities" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "sso_attempts_provider" ON "sso_attempts" USING btree ("provider_id");--> statement-breakpoint
CREATE INDEX "sso_attempts_expiry" ON "sso_attempts" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "sso_providers_newest" ON "sso_providers" USING btree ("organization_id","created_at","id");--> statement-breakpoint
CREATE INDEX "sso_providers_domains" ON "sso_providers" USING gin ("allowed_domains");--> statement-breakpoint
CREATE INDEX "sso_providers_saved_by" ON "sso_providers" USING btree ("saved_by");--> statement-breakpoint
CREATE INDEX "sso_seen_messages_expiry" ON "sso_seen_messages" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "sso_sessions_subject" ON "sso_sessions" USING btree ("provider_id","subject");--> statement-breakpoint
CREATE INDEX "sso_sign_ins_newest" ON "sso_sign_ins" USING btree ("provider_id","created_at","id");--> statement-breakpoint
CREATE INDEX "sso_sign_ins_organization" ON "sso_sign_ins" USING btree ("organization_id");--> statement-breakpoint
CREATE INDEX "sso_sign_ins_user" ON "sso_sign_ins" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "sso_sign_ins_age" ON "sso_sign_ins" USING btree ("created_at");--> statement-breakpoint
CREATE UNIQUE INDEX "team_domains_proven" ON "team_domains" USING btree ("domain") WHERE verified_at IS NOT NULL;