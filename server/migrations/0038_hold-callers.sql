-- Requests in flight of a caller whose access ends. Each transaction of a writing request holds the caller's account first, together with
-- others; an act that ends all access by an account holds it alone, before it locks anything, and so finds everything that was written.
-- An advisory lock, because it is granted in the order of the requests: a stream of writes cannot delay the act that ends it.
CREATE FUNCTION hold_account_alone(account uuid) RETURNS void LANGUAGE sql AS $$
  SELECT pg_advisory_xact_lock(7239015, hashtext(account::text))
$$;
--> statement-breakpoint
-- Whether the session, API token or SCIM token with which a request was authenticated is still active. Each statement of the function reads
-- what was committed while it waited.
CREATE FUNCTION hold_caller(kind text, caller uuid, account uuid, alone boolean) RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
  IF alone THEN
    PERFORM pg_advisory_xact_lock(7239015, hashtext(account::text));
  ELSE
    PERFORM pg_advisory_xact_lock_shared(7239015, hashtext(account::text));
  END IF;
  IF kind = 'session' THEN
    RETURN EXISTS (SELECT FROM sessions s JOIN users u ON u.id = s.user_id AND u.epoch = s.epoch AND u.status = 'active'
      WHERE s.id = caller AND s.user_id = account AND s.ended_at IS NULL);
  ELSIF kind = 'api-token' THEN
    RETURN EXISTS (SELECT FROM api_tokens t JOIN users u ON u.id = t.created_by AND u.epoch = t.epoch AND u.status = 'active'
      WHERE t.id = caller AND t.created_by = account AND t.revoked_at IS NULL);
  END IF;
  RETURN EXISTS (SELECT FROM scim_tokens t JOIN users u ON u.id = t.created_by AND u.epoch = t.epoch AND u.status = 'active'
    WHERE t.id = caller AND t.created_by = account AND t.revoked_at IS NULL);
END $$;
