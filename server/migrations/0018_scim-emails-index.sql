-- A query reads the whole list of entries that wait to be merged into an index, and these are of every team: none wait.
ALTER INDEX scim_users_emails SET (fastupdate = off);
--> statement-breakpoint
SELECT gin_clean_pending_list('scim_users_emails');
