CREATE TABLE "sign_in_editors" (
	"id" uuid PRIMARY KEY NOT NULL,
	"organization_id" uuid NOT NULL,
	"source_id" uuid NOT NULL,
	"saved_by" uuid NOT NULL,
	"saved_epoch" integer NOT NULL,
	"saved_permissions" text[] NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "sign_in_editors" ADD CONSTRAINT "sign_in_editors_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organizations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "sign_in_editors_source" ON "sign_in_editors" USING btree ("source_id","saved_by","saved_epoch","saved_permissions");--> statement-breakpoint
CREATE INDEX "sign_in_editors_organization" ON "sign_in_editors" USING btree ("organization_id");