CREATE TABLE "temporary_setters" (
	"user_id" uuid NOT NULL,
	"organization_id" uuid NOT NULL,
	"set_by" uuid NOT NULL,
	CONSTRAINT "temporary_setters_organization_id_set_by_user_id_pk" PRIMARY KEY("organization_id","set_by","user_id")
);
--> statement-breakpoint
ALTER TABLE "temporary_setters" ADD CONSTRAINT "temporary_setters_membership" FOREIGN KEY ("user_id","organization_id") REFERENCES "public"."memberships"("user_id","organization_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "temporary_setters_member" ON "temporary_setters" USING btree ("user_id","organization_id");