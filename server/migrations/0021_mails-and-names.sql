CREATE TABLE "removed_members" (
	"organization_id" uuid NOT NULL,
	"email" text NOT NULL,
	"user_id" uuid NOT NULL,
	"removed_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "removed_members_organization_id_email_pk" PRIMARY KEY("organization_id","email")
);
--> statement-breakpoint
CREATE TABLE "released_slugs" (
	"slug" text PRIMARY KEY NOT NULL,
	"organization_id" uuid NOT NULL,
	"released_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "mails" ADD COLUMN "team_id" uuid;--> statement-breakpoint
ALTER TABLE "invitations" ADD COLUMN "earlier_token_hashes" "bytea"[] DEFAULT '{}' NOT NULL;--> statement-breakpoint
ALTER TABLE "one_time_tokens" ADD COLUMN "seed" uuid;--> statement-breakpoint
ALTER TABLE "one_time_tokens" ADD COLUMN "key_id" text;--> statement-breakpoint
ALTER TABLE "removed_members" ADD CONSTRAINT "removed_members_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organizations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "removed_members_user" ON "removed_members" USING btree ("organization_id","user_id");--> statement-breakpoint
CREATE INDEX "released_slugs_released" ON "released_slugs" USING btree ("released_at");--> statement-breakpoint
CREATE INDEX "invitations_earlier_tokens" ON "invitations" USING gin ("earlier_token_hashes");