ALTER TABLE "memberships" ADD COLUMN "leave_set_by" uuid;--> statement-breakpoint
ALTER TABLE "memberships" ADD COLUMN "leave_set_epoch" integer;--> statement-breakpoint
ALTER TABLE "memberships" ADD COLUMN "leave_temporary_set_by" uuid;