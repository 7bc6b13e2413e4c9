CREATE TABLE "saml_keys" (
	"id" uuid PRIMARY KEY NOT NULL,
	"organization_id" uuid NOT NULL,
	"application_id" uuid,
	"state" text NOT NULL,
	"certificate" text NOT NULL,
	"sealed_private_key" text NOT NULL,
	"not_after" timestamp (3) with time zone NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"ends_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "saml_logouts" (
	"hash" "bytea" PRIMARY KEY NOT NULL,
	"application_id" uuid NOT NULL,
	"payload" jsonb NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "saml_name_ids" (
	"application_id" uuid NOT NULL,
	"user_id" uuid NOT NULL,
	"value" text NOT NULL,
	CONSTRAINT "saml_name_ids_application_id_user_id_pk" PRIMARY KEY("application_id","user_id")
);
--> statement-breakpoint
CREATE TABLE "saml_requests" (
	"hash" "bytea" PRIMARY KEY NOT NULL,
	"application_id" uuid NOT NULL,
	"payload" jsonb NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "saml_sessions" (
	"session_id" uuid NOT NULL,
	"application_id" uuid NOT NULL,
	"session_index" text NOT NULL,
	"name_id" text NOT NULL,
	"name_id_format" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "saml_sessions_session_id_application_id_pk" PRIMARY KEY("session_id","application_id")
);
--> statement-breakpoint
ALTER TABLE "applications" ADD COLUMN "saml_sp_certificate" text;--> statement-breakpoint
ALTER TABLE "applications" ADD COLUMN "saml_encrypt_assertion" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "applications" ADD COLUMN "saml_sp_slo_url" text;--> statement-breakpoint
ALTER TABLE "applications" ADD COLUMN "saml_allow_idp_initiated" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "saml_keys" ADD CONSTRAINT "saml_keys_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organizations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "saml_keys" ADD CONSTRAINT "saml_keys_application_id_applications_id_fk" FOREIGN KEY ("application_id") REFERENCES "public"."applications"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "saml_logouts" ADD CONSTRAINT "saml_logouts_application_id_applications_id_fk" FOREIGN KEY ("application_id") REFERENCES "public"."applications"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "saml_name_ids" ADD CONSTRAINT "saml_name_ids_application_id_applications_id_fk" FOREIGN KEY ("application_id") REFERENCES "public"."applications"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "saml_name_ids" ADD CONSTRAINT "saml_name_ids_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "saml_requests" ADD CONSTRAINT "saml_requests_application_id_applications_id_fk" FOREIGN KEY ("application_id") REFERENCES "public"."applications"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "saml_sessions" ADD CONSTRAINT "saml_sessions_session_id_sessions_id_fk" FOREIGN KEY ("session_id") REFERENCES "public"."sessions"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "saml_sessions" ADD CONSTRAINT "saml_sessions_application_id_applications_id_fk" FOREIGN KEY ("application_id") REFERENCES "public"."applications"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "saml_keys_organization" ON "saml_keys" USING btree ("organization_id");--> statement-breakpoint
CREATE INDEX "saml_keys_application" ON "saml_keys" USING btree ("application_id");--> statement-breakpoint
CREATE INDEX "saml_keys_end" ON "saml_keys" USING btree ("ends_at");--> statement-breakpoint
CREATE UNIQUE INDEX "saml_keys_team_state" ON "saml_keys" USING btree ("organization_id","state") WHERE application_id IS NULL AND state <> 'retired';--> statement-breakpoint
CREATE UNIQUE INDEX "saml_keys_application_state" ON "saml_keys" USING btree ("application_id","state") WHERE state <> 'retired';--> statement-breakpoint
CREATE INDEX "saml_logouts_application" ON "saml_logouts" USING btree ("application_id");--> statement-breakpoint
CREATE INDEX "saml_logouts_expiry" ON "saml_logouts" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "saml_name_ids_user" ON "saml_name_ids" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "saml_requests_application" ON "saml_requests" USING btree ("application_id");--> statement-breakpoint
CREATE INDEX "saml_requests_expiry" ON "saml_requests" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "saml_sessions_name" ON "saml_sessions" USING btree ("application_id","name_id");