CREATE TABLE "scim_groups" (
	"group_id" uuid PRIMARY KEY NOT NULL,
	"organization_id" uuid NOT NULL,
	"external_id" text
);
--> statement-breakpoint
CREATE TABLE "scim_requests" (
	"id" uuid PRIMARY KEY NOT NULL,
	"organization_id" uuid NOT NULL,
	"token_id" uuid,
	"method" text NOT NULL,
	"path" text NOT NULL,
	"status" integer NOT NULL,
	"scim_type" text,
	"detail" text,
	"created_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "scim_tokens" (
	"id" uuid PRIMARY KEY NOT NULL,
	"organization_id" uuid NOT NULL,
	"name" text NOT NULL,
	"hash" "bytea" NOT NULL,
	"prefix" text NOT NULL,
	"permissions" text[] NOT NULL,
	"created_by" uuid NOT NULL,
	"expires_at" timestamp (3) with time zone,
	"last_used_at" timestamp (3) with time zone,
	"revoked_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "scim_users" (
	"membership_id" uuid PRIMARY KEY NOT NULL,
	"organization_id" uuid NOT NULL,
	"user_name" text,
	"user_name_key" text,
	"address" text,
	"phone" text,
	"data" jsonb NOT NULL
);
--> statement-breakpoint
ALTER TABLE "scim_groups" ADD CONSTRAINT "scim_groups_group_id_groups_id_fk" FOREIGN KEY ("group_id") REFERENCES "public"."groups"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "scim_groups" ADD CONSTRAINT "scim_groups_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organizations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "scim_requests" ADD CONSTRAINT "scim_requests_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organizations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "scim_requests" ADD CONSTRAINT "scim_requests_token_id_scim_tokens_id_fk" FOREIGN KEY ("token_id") REFERENCES "public"."scim_tokens"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "scim_tokens" ADD CONSTRAINT "scim_tokens_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organizations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "scim_tokens" ADD CONSTRAINT "scim_tokens_created_by_users_id_fk" FOREIGN KEY ("created_by") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "scim_users" ADD CONSTRAINT "scim_users_membership_id_memberships_id_fk" FOREIGN KEY ("membership_id") REFERENCES "public"."memberships"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "scim_users" ADD CONSTRAINT "scim_users_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organizations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "scim_groups_external_id" ON "scim_groups" USING btree ("organization_id","external_id");--> statement-breakpoint
CREATE INDEX "scim_requests_newest" ON "scim_requests" USING btree ("organization_id","id");--> statement-breakpoint
CREATE INDEX "scim_requests_token" ON "scim_requests" USING btree ("token_id");--> statement-breakpoint
CREATE UNIQUE INDEX "scim_tokens_hash" ON "scim_tokens" USING btree ("hash");--> statement-breakpoint
CREATE INDEX "scim_tokens_newest" ON "scim_tokens" USING btree ("organization_id","created_at","id");--> statement-breakpoint
CREATE INDEX "scim_tokens_created_by" ON "scim_tokens" USING btree ("created_by");--> statement-breakpoint
CREATE UNIQUE INDEX "scim_users_user_name" ON "scim_users" USING btree ("organization_id","user_name_key") WHERE user_name_key IS NOT NULL;--> statement-breakpoint
-- Two sign-ins at once could give two members of a team one external id. Whoever was there first keeps it; the provider says the other's
-- again at the next sign-in.
UPDATE "memberships" later SET "external_id" = NULL FROM "memberships" earlier
  WHERE earlier."organization_id" = later."organization_id" AND earlier."external_id" = later."external_id"
    AND (earlier."created_at", earlier."id") < (later."created_at", later."id");--> statement-breakpoint
CREATE UNIQUE INDEX "memberships_external_id" ON "memberships" USING btree ("organization_id","external_id") WHERE "memberships"."external_id" IS NOT NULL;
