CREATE TABLE "joint_setters" (
	"id" uuid PRIMARY KEY NOT NULL,
	"organization_id" uuid NOT NULL,
	"set_by" uuid[] NOT NULL,
	"editor_id" uuid,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "joint_setters_not_empty" CHECK (cardinality(set_by) > 0)
);
--> statement-breakpoint
ALTER TABLE "joint_setters" ADD CONSTRAINT "joint_setters_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organizations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "joint_setters" ADD CONSTRAINT "joint_setters_editor_id_sign_in_editors_id_fk" FOREIGN KEY ("editor_id") REFERENCES "public"."sign_in_editors"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "joint_setters_organization" ON "joint_setters" USING btree ("organization_id","set_by");--> statement-breakpoint
CREATE INDEX "joint_setters_editor" ON "joint_setters" USING btree ("editor_id");--> statement-breakpoint
CREATE INDEX "sign_in_editors_saved_by" ON "sign_in_editors" USING btree ("saved_by");