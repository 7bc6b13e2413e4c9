CREATE TABLE "directories" (
	"id" uuid PRIMARY KEY NOT NULL,
	"organization_id" uuid NOT NULL,
	"enabled" boolean NOT NULL,
	"preset" text NOT NULL,
	"url" text NOT NULL,
	"start_tls" boolean NOT NULL,
	"ca_certificate" text,
	"base_dn" text NOT NULL,
	"bind_dn" text NOT NULL,
	"bind_password" text NOT NULL,
	"user_filter" text NOT NULL,
	"group_filter" text NOT NULL,
	"attribute_mapping" jsonb NOT NULL,
	"schedule_minutes" integer NOT NULL,
	"sign_in_enabled" boolean NOT NULL,
	"version" integer NOT NULL,
	"saved_by" uuid,
	"saved_permissions" text[] NOT NULL,
	"last_sync_at" timestamp (3) with time zone,
	"next_sync_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "directory_entries" (
	"directory_id" uuid NOT NULL,
	"no" integer NOT NULL,
	"kind" text NOT NULL,
	"key" "bytea" NOT NULL,
	"dn" text NOT NULL,
	"dn_hash" "bytea" NOT NULL,
	"uid_hash" "bytea",
	"content_hash" "bytea" NOT NULL,
	"fields" text[] NOT NULL,
	"organization_id" uuid NOT NULL,
	"user_id" uuid,
	"group_id" uuid,
	"active" boolean NOT NULL,
	"gone_since" timestamp (3) with time zone,
	CONSTRAINT "directory_entries_directory_id_no_pk" PRIMARY KEY("directory_id","no")
);
--> statement-breakpoint
CREATE TABLE "directory_members" (
	"directory_id" uuid NOT NULL,
	"group_no" integer NOT NULL,
	"member" "bytea" NOT NULL,
	CONSTRAINT "directory_members_directory_id_group_no_member_pk" PRIMARY KEY("directory_id","group_no","member")
);
--> statement-breakpoint
CREATE TABLE "directory_runs" (
	"id" uuid PRIMARY KEY NOT NULL,
	"organization_id" uuid NOT NULL,
	"directory_id" uuid NOT NULL,
	"status" text NOT NULL,
	"phase" text NOT NULL,
	"dry_run" boolean NOT NULL,
	"confirm_leavers" boolean NOT NULL,
	"started_by" uuid,
	"scheduled" boolean NOT NULL,
	"origin" jsonb NOT NULL,
	"total" integer NOT NULL,
	"counts" jsonb NOT NULL,
	"failures" jsonb NOT NULL,
	"planned" jsonb NOT NULL,
	"error" text,
	"detail" text,
	"runner" uuid,
	"leased_until" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone NOT NULL,
	"finished_at" timestamp (3) with time zone
);
--> statement-breakpoint
ALTER TABLE "team_domains" ADD COLUMN "due_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "team_domains" ADD COLUMN "failures" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "directories" ADD CONSTRAINT "directories_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organizations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "directories" ADD CONSTRAINT "directories_saved_by_users_id_fk" FOREIGN KEY ("saved_by") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "directory_entries" ADD CONSTRAINT "directory_entries_directory_id_directories_id_fk" FOREIGN KEY ("directory_id") REFERENCES "public"."directories"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "directory_entries" ADD CONSTRAINT "directory_entries_group_id_groups_id_fk" FOREIGN KEY ("group_id") REFERENCES "public"."groups"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "directory_entries" ADD CONSTRAINT "directory_entries_membership" FOREIGN KEY ("user_id","organization_id") REFERENCES "public"."memberships"("user_id","organization_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "directory_members" ADD CONSTRAINT "directory_members_directory_id_directories_id_fk" FOREIGN KEY ("directory_id") REFERENCES "public"."directories"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "directory_members" ADD CONSTRAINT "directory_members_group" FOREIGN KEY ("directory_id","group_no") REFERENCES "public"."directory_entries"("directory_id","no") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "directory_runs" ADD CONSTRAINT "directory_runs_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organizations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "directory_runs" ADD CONSTRAINT "directory_runs_directory_id_directories_id_fk" FOREIGN KEY ("directory_id") REFERENCES "public"."directories"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "directory_runs" ADD CONSTRAINT "directory_runs_started_by_users_id_fk" FOREIGN KEY ("started_by") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "directories_organization" ON "directories" USING btree ("organization_id");--> statement-breakpoint
CREATE INDEX "directories_saved_by" ON "directories" USING btree ("saved_by");--> statement-breakpoint
CREATE INDEX "directories_due" ON "directories" USING btree ("next_sync_at") WHERE next_sync_at IS NOT NULL;--> statement-breakpoint
CREATE UNIQUE INDEX "directory_entries_key" ON "directory_entries" USING btree ("directory_id","kind","key");--> statement-breakpoint
CREATE INDEX "directory_entries_dn" ON "directory_entries" USING btree ("directory_id","dn_hash");--> statement-breakpoint
CREATE INDEX "directory_entries_uid" ON "directory_entries" USING btree ("directory_id","uid_hash") WHERE uid_hash IS NOT NULL;--> statement-breakpoint
CREATE INDEX "directory_entries_user" ON "directory_entries" USING btree ("user_id","organization_id");--> statement-breakpoint
CREATE INDEX "directory_entries_group" ON "directory_entries" USING btree ("group_id");--> statement-breakpoint
CREATE UNIQUE INDEX "directory_runs_running" ON "directory_runs" USING btree ("directory_id") WHERE status = 'running';--> statement-breakpoint
CREATE INDEX "directory_runs_newest" ON "directory_runs" USING btree ("organization_id","created_at","id");--> statement-breakpoint
CREATE INDEX "directory_runs_directory" ON "directory_runs" USING btree ("directory_id");--> statement-breakpoint
CREATE INDEX "directory_runs_finished" ON "directory_runs" USING btree ("finished_at");--> statement-breakpoint
CREATE INDEX "directory_runs_started_by" ON "directory_runs" USING btree ("started_by");--> statement-breakpoint
CREATE INDEX "team_domains_due" ON "team_domains" USING btree ("due_at") WHERE verified_at IS NOT NULL;