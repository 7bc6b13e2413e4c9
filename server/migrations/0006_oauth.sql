CREATE TABLE "oidc_claims" (
	"id" uuid PRIMARY KEY NOT NULL,
	"application_id" uuid NOT NULL,
	"name" text NOT NULL,
	"user_attribute" text NOT NULL,
	"regex_rule_id" uuid,
	"target_tokens" text[] NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "oidc_regex_rules" (
	"id" uuid PRIMARY KEY NOT NULL,
	"application_id" uuid NOT NULL,
	"name" text NOT NULL,
	"pattern" text NOT NULL,
	"replacement" text NOT NULL,
	"flags" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "oidc_scopes" (
	"id" uuid PRIMARY KEY NOT NULL,
	"application_id" uuid NOT NULL,
	"name" text NOT NULL,
	"description" text,
	"is_default" boolean NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "oidc_token_policies" (
	"application_id" uuid PRIMARY KEY NOT NULL,
	"access_token_lifetime" integer NOT NULL,
	"id_token_lifetime" integer NOT NULL,
	"refresh_token_lifetime" integer NOT NULL,
	"rotation_enabled" boolean NOT NULL,
	"reuse_interval" integer NOT NULL,
	"tokens_until" timestamp (3) with time zone,
	"updated_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "device_codes" (
	"hash" "bytea" PRIMARY KEY NOT NULL,
	"user_code_hash" "bytea" NOT NULL,
	"application_id" uuid NOT NULL,
	"issuer" text NOT NULL,
	"payload" jsonb NOT NULL,
	"ip_address" text,
	"user_agent" text,
	"grant_id" uuid,
	"answered_at" timestamp (3) with time zone,
	"polled_at" timestamp (3) with time zone,
	"poll_interval" integer NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "pushed_requests" (
	"hash" "bytea" PRIMARY KEY NOT NULL,
	"application_id" uuid NOT NULL,
	"issuer" text NOT NULL,
	"parameters" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
DROP INDEX "signing_keys_application";--> statement-breakpoint
DROP INDEX "signing_keys_team_kid";--> statement-breakpoint
ALTER TABLE "applications" ADD COLUMN "previous_secret_hash" "bytea";--> statement-breakpoint
ALTER TABLE "applications" ADD COLUMN "previous_secret_until" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "applications" ADD COLUMN "registration_token_hash" "bytea";--> statement-breakpoint
ALTER TABLE "applications" ADD COLUMN "stopped_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "applications" ADD COLUMN "launch_url" text;--> statement-breakpoint
ALTER TABLE "applications" ADD COLUMN "resources" text[] DEFAULT '{}' NOT NULL;--> statement-breakpoint
ALTER TABLE "signing_keys" ADD COLUMN "certificate_chain" text[];--> statement-breakpoint
ALTER TABLE "signing_keys" ADD COLUMN "published_until" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "consents" ADD COLUMN "delegated_scopes" text[] DEFAULT '{}' NOT NULL;--> statement-breakpoint
ALTER TABLE "consents" ADD COLUMN "withdrawn_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "interactions" ADD COLUMN "device_hash" "bytea";--> statement-breakpoint
ALTER TABLE "sessions" ADD COLUMN "delegated_from" uuid[];--> statement-breakpoint
ALTER TABLE "sessions" ADD COLUMN "delegated_tokens" "bytea"[];--> statement-breakpoint
ALTER TABLE "oidc_claims" ADD CONSTRAINT "oidc_claims_application_id_applications_id_fk" FOREIGN KEY ("application_id") REFERENCES "public"."applications"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "oidc_claims" ADD CONSTRAINT "oidc_claims_regex_rule_id_oidc_regex_rules_id_fk" FOREIGN KEY ("regex_rule_id") REFERENCES "public"."oidc_regex_rules"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "oidc_regex_rules" ADD CONSTRAINT "oidc_regex_rules_application_id_applications_id_fk" FOREIGN KEY ("application_id") REFERENCES "public"."applications"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "oidc_scopes" ADD CONSTRAINT "oidc_scopes_application_id_applications_id_fk" FOREIGN KEY ("application_id") REFERENCES "public"."applications"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "oidc_token_policies" ADD CONSTRAINT "oidc_token_policies_application_id_applications_id_fk" FOREIGN KEY ("application_id") REFERENCES "public"."applications"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "device_codes" ADD CONSTRAINT "device_codes_application_id_applications_id_fk" FOREIGN KEY ("application_id") REFERENCES "public"."applications"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "device_codes" ADD CONSTRAINT "device_codes_grant_id_sessions_id_fk" FOREIGN KEY ("grant_id") REFERENCES "public"."sessions"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "pushed_requests" ADD CONSTRAINT "pushed_requests_application_id_applications_id_fk" FOREIGN KEY ("application_id") REFERENCES "public"."applications"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "oidc_claims_application" ON "oidc_claims" USING btree ("application_id");--> statement-breakpoint
CREATE INDEX "oidc_claims_regex_rule" ON "oidc_claims" USING btree ("regex_rule_id");--> statement-breakpoint
CREATE INDEX "oidc_regex_rules_application" ON "oidc_regex_rules" USING btree ("application_id");--> statement-breakpoint
CREATE UNIQUE INDEX "oidc_scopes_name" ON "oidc_scopes" USING btree ("application_id","name");--> statement-breakpoint
CREATE UNIQUE INDEX "device_codes_user_code" ON "device_codes" USING btree ("user_code_hash");--> statement-breakpoint
CREATE INDEX "device_codes_application" ON "device_codes" USING btree ("application_id");--> statement-breakpoint
CREATE INDEX "device_codes_grant" ON "device_codes" USING btree ("grant_id");--> statement-breakpoint
CREATE INDEX "device_codes_expiry" ON "device_codes" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "pushed_requests_application" ON "pushed_requests" USING btree ("application_id");--> statement-breakpoint
CREATE INDEX "pushed_requests_expiry" ON "pushed_requests" USING btree ("expires_at");--> statement-breakpoint
CREATE UNIQUE INDEX "signing_keys_application_kid" ON "signing_keys" USING btree ("application_id","kid");--> statement-breakpoint
CREATE UNIQUE INDEX "signing_keys_application_default" ON "signing_keys" USING btree ("application_id") WHERE is_default;--> statement-breakpoint
CREATE UNIQUE INDEX "signing_keys_application_access" ON "signing_keys" USING btree ("application_id") WHERE use_for_access_tokens;--> statement-breakpoint
CREATE UNIQUE INDEX "signing_keys_team_kid" ON "signing_keys" USING btree ("organization_id","kid") WHERE application_id IS NULL;