CREATE INDEX "audit_entries_team_result" ON "audit_entries" USING btree ("team_id","result","created_at") WHERE result <> 'SUCCESS';--> statement-breakpoint
CREATE INDEX "audit_entries_team_agent" ON "audit_entries" USING btree ("team_id","agent_id","created_at") WHERE "audit_entries"."agent_id" is not null;--> statement-breakpoint
CREATE INDEX "audit_entries_team_resource" ON "audit_entries" USING btree ("team_id","resource","created_at");--> statement-breakpoint
CREATE INDEX "audit_entries_team_kind" ON "audit_entries" USING btree ("team_id",split_part(resource, ':', 1),"created_at");--> statement-breakpoint
CREATE INDEX "audit_entries_team_ip" ON "audit_entries" USING btree ("team_id","ip_address","created_at");--> statement-breakpoint
CREATE INDEX "audit_entries_team_request" ON "audit_entries" USING btree ("team_id","request_id");--> statement-breakpoint
CREATE INDEX "audit_entries_team_risk" ON "audit_entries" USING btree ("team_id","risk_score","created_at") WHERE risk_score > 0;