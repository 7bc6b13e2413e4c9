DROP INDEX "removed_members_user";--> statement-breakpoint
CREATE INDEX "invitations_email" ON "invitations" USING btree ("email");--> statement-breakpoint
CREATE INDEX "removed_members_user" ON "removed_members" USING btree ("user_id","organization_id");