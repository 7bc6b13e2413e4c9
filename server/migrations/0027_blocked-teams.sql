CREATE TABLE "blocked_teams" (
	"user_id" uuid NOT NULL,
	"organization_id" uuid NOT NULL,
	"blocked_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "blocked_teams_user_id_organization_id_pk" PRIMARY KEY("user_id","organization_id")
);
--> statement-breakpoint
ALTER TABLE "blocked_teams" ADD CONSTRAINT "blocked_teams_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "blocked_teams" ADD CONSTRAINT "blocked_teams_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organizations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "blocked_teams_organization" ON "blocked_teams" USING btree ("organization_id");--> statement-breakpoint
ALTER TABLE "memberships" DROP COLUMN "blocked_at";