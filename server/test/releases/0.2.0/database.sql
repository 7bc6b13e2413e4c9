

SET statement_timeout = 0;
SET lock_timeout = 0;
SET idle_in_transaction_session_timeout = 0;
SET client_encoding = 'UTF8';
SET standard_conforming_strings = on;
SET check_function_bodies = false;
SET xmloption = content;
SET client_min_messages = warning;
SET row_security = off;

CREATE SCHEMA drizzle;

CREATE FUNCTION public.audit_count_sealed() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
  IF NOT EXISTS (SELECT 1 FROM audit_checkpoint_heads h WHERE h.chain = NEW.chain AND h.seal = NEW.number) THEN
    RAISE EXCEPTION 'no checkpoint names seal % of chain %', NEW.number, NEW.chain USING ERRCODE = 'insufficient_privilege';
  END IF;
  INSERT INTO audit_daily AS d (chain, day, action, result, count)
    SELECT NEW.chain, (e.created_at AT TIME ZONE 'UTC')::date, e.action, e.result, count(*)
    FROM audit_entries e WHERE e.id = ANY (NEW.entry_ids)
    GROUP BY 2, 3, 4 ORDER BY 2, 3, 4
  ON CONFLICT (chain, day, action, result) DO UPDATE SET count = d.count + excluded.count;
  RETURN NULL;
END $$;

CREATE FUNCTION public.audit_refuse_change() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
  RAISE EXCEPTION 'audit records are append-only: % on % is refused', TG_OP, TG_TABLE_NAME USING ERRCODE = 'insufficient_privilege';
END $$;

CREATE FUNCTION public.audit_refuse_count_change() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
  IF pg_trigger_depth() > 1 THEN RETURN NULL; END IF;
  RAISE EXCEPTION 'audit records are append-only: % on % is refused', TG_OP, TG_TABLE_NAME USING ERRCODE = 'insufficient_privilege';
END $$;

CREATE FUNCTION public.audit_refuse_delete() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
DECLARE
  chain_column text := CASE TG_TABLE_NAME WHEN 'audit_entries' THEN 'team_id' ELSE 'chain' END;
  strangers bigint;
BEGIN
  EXECUTE format(
    'SELECT count(*) FROM removed r WHERE NOT EXISTS (
       SELECT 1 FROM audit_removals a WHERE a.chain = r.%I AND a.transaction_id = pg_current_xact_id()::text)', chain_column)
    INTO strangers;
  IF strangers > 0 THEN
    RAISE EXCEPTION 'audit records are append-only: DELETE on % is refused', TG_TABLE_NAME USING ERRCODE = 'insufficient_privilege';
  END IF;
  RETURN NULL;
END $$;

CREATE FUNCTION public.forget_external_identities() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
  DELETE FROM external_identities e USING gone, sso_providers p
  WHERE e.user_id = gone.user_id AND p.id = e.provider_id AND p.organization_id = gone.organization_id;
  RETURN NULL;
END $$;

CREATE FUNCTION public.hold_account_alone(account uuid) RETURNS void
    LANGUAGE sql
    AS $$
  SELECT pg_advisory_xact_lock(7239015, hashtext(account::text))
$$;

CREATE FUNCTION public.hold_caller(kind text, caller uuid, account uuid, alone boolean) RETURNS boolean
    LANGUAGE plpgsql
    AS $$
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

CREATE FUNCTION public.memberships_count_seats() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    INSERT INTO team_seats (organization_id, taken)
      SELECT organization_id, count(*)::int FROM moved GROUP BY organization_id ORDER BY organization_id
      ON CONFLICT (organization_id) DO UPDATE SET taken = team_seats.taken + excluded.taken;
  ELSE
    PERFORM 1 FROM team_seats WHERE organization_id IN (SELECT organization_id FROM moved) ORDER BY organization_id FOR NO KEY UPDATE;
    UPDATE team_seats s SET taken = s.taken - gone.count
      FROM (SELECT organization_id, count(*)::int AS count FROM moved GROUP BY organization_id) gone
      WHERE s.organization_id = gone.organization_id;
  END IF;
  RETURN NULL;
END $$;

CREATE FUNCTION public.memberships_write_search() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
DECLARE
  person record;
  is_confirmed boolean := NEW.counts AND NEW.status <> 'suspended';
BEGIN
  SELECT first_name, last_name, email INTO person FROM users WHERE id = NEW.user_id FOR SHARE;
  NEW.search := search_fold(concat_ws(' ', coalesce(NEW.first_name, CASE WHEN is_confirmed THEN person.first_name END),
    coalesce(NEW.last_name, CASE WHEN is_confirmed THEN person.last_name END), person.email));
  RETURN NEW;
END $$;

CREATE FUNCTION public.remove_team_audit(team uuid, record_id uuid, removed_at timestamp with time zone) RETURNS void
    LANGUAGE plpgsql
    AS $$
DECLARE
  entry_count integer;
  last_head bytea;
BEGIN
  DELETE FROM audit_pending WHERE chain = team;
  SELECT count(*) INTO entry_count FROM audit_entries WHERE team_id = team;
  SELECT hashes[array_length(hashes, 1)] INTO last_head FROM audit_seals WHERE chain = team ORDER BY number DESC LIMIT 1;
  INSERT INTO audit_removals (chain, entries, last_hash, removed_at, transaction_id)
    VALUES (team, entry_count, last_head, removed_at, pg_current_xact_id()::text);
  INSERT INTO audit_entries (id, action, resource, result, metadata, created_at)
    VALUES (record_id, 'organization.audit_removed', 'organization:' || team, 'SUCCESS',
      jsonb_build_object('entries', entry_count, 'lastHash', encode(last_head, 'hex')), removed_at);
  INSERT INTO audit_pending (entry_id, chain) VALUES (record_id, '00000000-0000-0000-0000-000000000000');
  DELETE FROM audit_daily WHERE chain = team;
  DELETE FROM audit_seals WHERE chain = team;
  DELETE FROM audit_entries WHERE team_id = team;
END $$;

CREATE FUNCTION public.search_fold(written text) RETURNS text
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    AS $$
  SELECT replace(replace(replace(replace(replace(translate(lower(regexp_replace(normalize(written, NFKD), '[\u0300-\u036f]', '', 'g') COLLATE "C"),
    'ÆÐØÞĐĦŁŊŒŦƁƂƄƆƇƉƊƋƎƏƐƑƓƔƖƗƘƜƝƟƢƤƦƧƩƬƮƱƲƳƵƷƸƼǤǶǷȜȠȢȤȺȻȽȾɁɃɄɅɆɈɊɌɎͰͲͶͿΑΒΓΔΕΖΗΘΙΚΛΜΝΞΟΠΡΣΤΥΦΧΨΩϏϘϚϜϞϠϢϤϦϨϪϬϮϷϺϽϾϿЂЄЅІЈЉЊЋЏАБВГДЕЖЗИКЛМНОПРСТУФХЦЧШЩЪЫЬЭЮЯѠѢѤѦѨѪѬѮѰѲѴѸѺѼѾҀҊҌҎҐҒҔҖҘҚҜҞҠҢҤҦҨҪҬҮҰҲҴҶҸҺҼҾӀӃӅӇӉӋӍӔӘӠӨӶӺӼӾԀԂԄԆԈԊԌԎԐԒԔԖԘԚԜԞԠԢԤԦԨԪԬԮԱԲԳԴԵԶԷԸԹԺԻԼԽԾԿՀՁՂՃՄՅՆՇՈՉՊՋՌՍՎՏՐՑՒՓՔՕՖỺỼỾøłđħŧıς',
    'æðoþdhlŋœtɓƃƅɔƈɖɗƌǝəɛƒɠɣɩɨƙɯɲɵƣƥʀƨʃƭʈʊʋƴƶʒƹƽǥƕƿȝƞȣȥⱥȼƚⱦɂƀʉʌɇɉɋɍɏͱͳͷϳαβγδεζηθικλμνξοπρστυφχψωϗϙϛϝϟϡϣϥϧϩϫϭϯϸϻͻͼͽђєѕіјљњћџабвгдежзиклмнопрстуфхцчшщъыьэюяѡѣѥѧѩѫѭѯѱѳѵѹѻѽѿҁҋҍҏґғҕҗҙқҝҟҡңҥҧҩҫҭүұҳҵҷҹһҽҿӏӄӆӈӊӌӎӕәӡөӷӻӽӿԁԃԅԇԉԋԍԏԑԓԕԗԙԛԝԟԡԣԥԧԩԫԭԯաբգդեզէըթժիլխծկհձղճմյնշոչպջռսվտրցւփքօֆỻỽỿoldhtiσ'),
    'ẞ', 'ss'), 'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe'), 'þ', 'th')
$$;

CREATE FUNCTION public.search_keys(team uuid, folded text) RETURNS text[]
    LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE
    AS $$
BEGIN
  RETURN (SELECT coalesce(array_agg(DISTINCT right(team::text, 6) || part), '{}') FROM (
    SELECT substr(word, place, 3) FROM unnest(string_to_array(folded, ' ')) word, generate_series(1, length(word) - 2) place
    UNION ALL
    SELECT '^' || left(word, size) FROM unnest(string_to_array(translate(folded, '.@_+-', '     '), ' ')) word, generate_series(1, 2) size
      WHERE length(word) >= size
  ) parts (part));
END $$;

CREATE FUNCTION public.users_write_search() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
  UPDATE memberships m SET search = search_fold(concat_ws(' ',
    coalesce(m.first_name, CASE WHEN m.counts AND m.status <> 'suspended' THEN NEW.first_name END),
    coalesce(m.last_name, CASE WHEN m.counts AND m.status <> 'suspended' THEN NEW.last_name END), NEW.email))
    WHERE m.user_id = NEW.id;
  RETURN NULL;
END $$;

SET default_tablespace = '';

CREATE TABLE drizzle.__drizzle_migrations (
    id integer NOT NULL,
    hash text NOT NULL,
    created_at bigint
);

CREATE SEQUENCE drizzle.__drizzle_migrations_id_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;

ALTER SEQUENCE drizzle.__drizzle_migrations_id_seq OWNED BY drizzle.__drizzle_migrations.id;

CREATE TABLE public.adaptive_users (
    user_id uuid NOT NULL,
    since timestamp(3) with time zone NOT NULL
);

CREATE TABLE public.answered_challenges (
    hash bytea NOT NULL,
    expires_at timestamp(3) with time zone NOT NULL
);

CREATE TABLE public.api_tokens (
    id uuid NOT NULL,
    organization_id uuid NOT NULL,
    name text NOT NULL,
    hash bytea NOT NULL,
    prefix text NOT NULL,
    scopes text[] NOT NULL,
    created_by uuid NOT NULL,
    expires_at timestamp(3) with time zone,
    last_used_at timestamp(3) with time zone,
    revoked_at timestamp(3) with time zone,
    created_at timestamp(3) with time zone NOT NULL,
    epoch integer DEFAULT 0 NOT NULL,
    temporary_set_by uuid
);

CREATE TABLE public.application_groups (
    application_id uuid NOT NULL,
    group_id uuid NOT NULL
);

CREATE TABLE public.application_users (
    application_id uuid NOT NULL,
    user_id uuid NOT NULL,
    organization_id uuid NOT NULL
);

CREATE TABLE public.applications (
    id uuid NOT NULL,
    organization_id uuid NOT NULL,
    name text NOT NULL,
    description text,
    logo_url text,
    type text NOT NULL,
    client_id text NOT NULL,
    secret_hash bytea,
    secret_rotated_at timestamp(3) with time zone,
    redirect_uris text[] NOT NULL,
    post_logout_redirect_uris text[] NOT NULL,
    backchannel_logout_uri text,
    grant_types text[] NOT NULL,
    response_types text[] NOT NULL,
    scopes text[] NOT NULL,
    token_endpoint_auth_method text NOT NULL,
    is_public_client boolean NOT NULL,
    require_dpop boolean NOT NULL,
    dpop_nonce_enabled boolean NOT NULL,
    is_ai_agent boolean NOT NULL,
    jwks jsonb,
    assignment_required boolean NOT NULL,
    saml_entity_id text,
    saml_sp_entity_id text,
    saml_sp_acs_url text,
    saml_name_id_format text,
    saml_attribute_mapping jsonb,
    version integer NOT NULL,
    generation integer NOT NULL,
    created_at timestamp(3) with time zone NOT NULL,
    updated_at timestamp(3) with time zone NOT NULL,
    previous_secret_hash bytea,
    previous_secret_until timestamp(3) with time zone,
    registration_token_hash bytea,
    stopped_at timestamp(3) with time zone,
    launch_url text,
    resources text[] DEFAULT '{}'::text[] NOT NULL,
    withheld_grant_types text[] DEFAULT '{}'::text[] NOT NULL,
    secrets_ended integer DEFAULT 0 NOT NULL,
    saml_sp_certificate text,
    saml_encrypt_assertion boolean DEFAULT false NOT NULL,
    saml_sp_slo_url text,
    saml_allow_idp_initiated boolean DEFAULT false NOT NULL,
    registration_token_by uuid,
    registration_token_epoch integer DEFAULT 0 NOT NULL,
    registration_token_temporary_set_by uuid,
    registration_token_of_instance boolean DEFAULT false NOT NULL,
    saml_sp_slo_response_url text,
    saml_sp_slo_post_url text,
    saml_sp_slo_post_response_url text
);

CREATE TABLE public.audit_checkpoint_heads (
    chain uuid NOT NULL,
    seal bigint NOT NULL,
    entries bigint NOT NULL,
    head bytea NOT NULL,
    checkpoint bigint NOT NULL
);

CREATE TABLE public.audit_checkpoints (
    number bigint NOT NULL,
    hash bytea NOT NULL,
    signature bytea NOT NULL,
    key_id text NOT NULL,
    created_at timestamp(3) with time zone NOT NULL
);

CREATE TABLE public.audit_daily (
    chain uuid NOT NULL,
    day date NOT NULL,
    action text NOT NULL,
    result text NOT NULL,
    count integer NOT NULL
);

CREATE TABLE public.audit_entries (
    id uuid NOT NULL,
    team_id uuid,
    user_id uuid,
    agent_id uuid,
    action text NOT NULL,
    resource text,
    result text NOT NULL,
    metadata jsonb NOT NULL,
    risk_score integer,
    ip_address text,
    user_agent text,
    request_id text,
    created_at timestamp(3) with time zone NOT NULL
);

CREATE TABLE public.audit_pending (
    entry_id uuid NOT NULL,
    chain uuid NOT NULL
);

CREATE TABLE public.audit_removals (
    chain uuid NOT NULL,
    entries integer NOT NULL,
    last_hash bytea,
    removed_at timestamp(3) with time zone NOT NULL,
    transaction_id text NOT NULL
);

CREATE TABLE public.audit_seals (
    chain uuid NOT NULL,
    number bigint NOT NULL,
    entry_ids uuid[] NOT NULL,
    hashes bytea[] NOT NULL,
    signature bytea NOT NULL,
    key_id text NOT NULL,
    created_at timestamp(3) with time zone NOT NULL
);

CREATE TABLE public.backup_codes (
    factor_id uuid NOT NULL,
    hash bytea NOT NULL,
    used_at timestamp(3) with time zone
);

CREATE TABLE public.blocked_teams (
    user_id uuid NOT NULL,
    organization_id uuid NOT NULL,
    blocked_at timestamp(3) with time zone NOT NULL
);

CREATE TABLE public.consents (
    user_id uuid NOT NULL,
    application_id uuid NOT NULL,
    scopes text[] NOT NULL,
    claims text[] NOT NULL,
    created_at timestamp(3) with time zone NOT NULL,
    updated_at timestamp(3) with time zone NOT NULL,
    delegated_scopes text[] DEFAULT '{}'::text[] NOT NULL,
    withdrawn_at timestamp(3) with time zone,
    restricted boolean DEFAULT false NOT NULL
);

CREATE TABLE public.device_codes (
    hash bytea NOT NULL,
    user_code_hash bytea NOT NULL,
    application_id uuid NOT NULL,
    issuer text NOT NULL,
    payload jsonb NOT NULL,
    ip_address text,
    user_agent text,
    grant_id uuid,
    answered_at timestamp(3) with time zone,
    polled_at timestamp(3) with time zone,
    poll_interval integer NOT NULL,
    created_at timestamp(3) with time zone NOT NULL,
    expires_at timestamp(3) with time zone NOT NULL,
    told_at timestamp(3) with time zone,
    generation integer
);

CREATE TABLE public.directories (
    id uuid NOT NULL,
    organization_id uuid NOT NULL,
    enabled boolean NOT NULL,
    preset text NOT NULL,
    url text NOT NULL,
    start_tls boolean NOT NULL,
    ca_certificate text,
    base_dn text NOT NULL,
    bind_dn text NOT NULL,
    bind_password text NOT NULL,
    user_filter text NOT NULL,
    group_filter text NOT NULL,
    attribute_mapping jsonb NOT NULL,
    schedule_minutes integer NOT NULL,
    sign_in_enabled boolean NOT NULL,
    version integer NOT NULL,
    saved_by uuid,
    saved_permissions text[] NOT NULL,
    last_sync_at timestamp(3) with time zone,
    next_sync_at timestamp(3) with time zone,
    created_at timestamp(3) with time zone NOT NULL,
    updated_at timestamp(3) with time zone NOT NULL,
    last_full_sync_at timestamp(3) with time zone,
    saved_epoch integer DEFAULT 0 NOT NULL,
    temporary_set_by uuid,
    page_size integer
);

CREATE TABLE public.directory_entries (
    directory_id uuid NOT NULL,
    no integer NOT NULL,
    kind text NOT NULL,
    key bytea NOT NULL,
    dn text NOT NULL,
    dn_hash bytea NOT NULL,
    uid_hash bytea,
    content_hash bytea NOT NULL,
    fields text[] NOT NULL,
    organization_id uuid NOT NULL,
    user_id uuid,
    group_id uuid,
    active boolean NOT NULL,
    gone_since timestamp(3) with time zone,
    mark text
);

CREATE TABLE public.directory_members (
    directory_id uuid NOT NULL,
    group_no integer NOT NULL,
    member bytea NOT NULL
);

CREATE TABLE public.directory_runs (
    id uuid NOT NULL,
    organization_id uuid NOT NULL,
    directory_id uuid NOT NULL,
    status text NOT NULL,
    phase text NOT NULL,
    dry_run boolean NOT NULL,
    confirm_leavers boolean NOT NULL,
    started_by uuid,
    scheduled boolean NOT NULL,
    origin jsonb NOT NULL,
    total integer NOT NULL,
    counts jsonb NOT NULL,
    failures jsonb NOT NULL,
    planned jsonb NOT NULL,
    error text,
    detail text,
    runner uuid,
    leased_until timestamp(3) with time zone,
    created_at timestamp(3) with time zone NOT NULL,
    finished_at timestamp(3) with time zone,
    mode text DEFAULT 'full'::text NOT NULL
);

CREATE TABLE public.external_identities (
    provider_id uuid NOT NULL,
    subject text NOT NULL,
    user_id uuid NOT NULL,
    group_ids uuid[] DEFAULT '{}'::uuid[] NOT NULL,
    created_at timestamp(3) with time zone NOT NULL,
    last_used_at timestamp(3) with time zone NOT NULL
);

CREATE TABLE public.factors (
    id uuid NOT NULL,
    user_id uuid NOT NULL,
    type text NOT NULL,
    name text NOT NULL,
    verified_at timestamp(3) with time zone,
    last_used_at timestamp(3) with time zone,
    created_at timestamp(3) with time zone NOT NULL,
    restricted_to_team_id uuid,
    temporary_set_by uuid,
    epoch integer DEFAULT 0 NOT NULL,
    enrolled_in_session_id uuid,
    CONSTRAINT factors_type CHECK ((type = ANY (ARRAY['TOTP'::text, 'PASSKEY'::text, 'BACKUP_CODE'::text])))
);

CREATE TABLE public.form_responses (
    hash bytea NOT NULL,
    application_id uuid NOT NULL,
    browser_hash bytea,
    sealed_response text NOT NULL,
    expires_at timestamp(3) with time zone NOT NULL
);

CREATE TABLE public.group_members (
    group_id uuid NOT NULL,
    user_id uuid NOT NULL,
    organization_id uuid NOT NULL
);

CREATE TABLE public.groups (
    id uuid NOT NULL,
    organization_id uuid NOT NULL,
    name text NOT NULL,
    description text,
    created_at timestamp(3) with time zone NOT NULL,
    updated_at timestamp(3) with time zone NOT NULL
);

CREATE TABLE public.import_runs (
    id uuid NOT NULL,
    organization_id uuid NOT NULL,
    started_by uuid,
    dry_run boolean NOT NULL,
    status text NOT NULL,
    rows jsonb NOT NULL,
    options jsonb NOT NULL,
    total integer NOT NULL,
    processed integer NOT NULL,
    created integer NOT NULL,
    updated integer NOT NULL,
    unchanged integer NOT NULL,
    failures jsonb NOT NULL,
    created_at timestamp(3) with time zone NOT NULL,
    finished_at timestamp(3) with time zone,
    temporary_set_by uuid,
    action jsonb
);

CREATE TABLE public.instance_settings (
    id text NOT NULL,
    name text NOT NULL,
    logo_url text,
    primary_color text NOT NULL,
    allowed_domains text[] NOT NULL,
    mfa_required boolean NOT NULL,
    mfa_required_since timestamp(3) with time zone,
    mfa_grace_period_days integer NOT NULL,
    custom_login_config jsonb,
    instance_team_id uuid,
    onboarded_at timestamp(3) with time zone,
    first_user_id uuid,
    created_at timestamp(3) with time zone NOT NULL,
    updated_at timestamp(3) with time zone NOT NULL,
    session_max_lifetime_days integer DEFAULT 90 NOT NULL,
    setup_token_hash bytea,
    setup_token_expires_at timestamp(3) with time zone
);

CREATE TABLE public.interactions (
    hash bytea NOT NULL,
    application_id uuid NOT NULL,
    issuer text NOT NULL,
    browser_hash bytea,
    payload jsonb NOT NULL,
    created_at timestamp(3) with time zone NOT NULL,
    expires_at timestamp(3) with time zone NOT NULL,
    device_hash bytea,
    generation integer
);

CREATE TABLE public.invitations (
    id uuid NOT NULL,
    organization_id uuid NOT NULL,
    email text NOT NULL,
    role text NOT NULL,
    status text NOT NULL,
    token_hash bytea NOT NULL,
    invited_by uuid,
    accepted_by uuid,
    expires_at timestamp(3) with time zone NOT NULL,
    created_at timestamp(3) with time zone NOT NULL,
    updated_at timestamp(3) with time zone NOT NULL,
    earlier_token_hashes bytea[] DEFAULT '{}'::bytea[] NOT NULL,
    temporary_set_by uuid
);

CREATE TABLE public.jobs (
    id uuid NOT NULL,
    kind text NOT NULL,
    payload jsonb NOT NULL,
    unique_name text,
    run_at timestamp(3) with time zone NOT NULL,
    attempts integer DEFAULT 0 NOT NULL,
    leased_until timestamp(3) with time zone,
    last_error text,
    failed_at timestamp(3) with time zone,
    created_at timestamp(3) with time zone NOT NULL,
    team_id uuid
);

CREATE TABLE public.known_devices (
    user_id uuid NOT NULL,
    hash bytea NOT NULL,
    created_at timestamp(3) with time zone NOT NULL,
    last_seen_at timestamp(3) with time zone NOT NULL,
    ip_address text,
    user_agent text,
    factor_at timestamp(3) with time zone,
    epoch integer DEFAULT 0 NOT NULL
);

CREATE TABLE public.logos (
    owner_id uuid NOT NULL,
    url text NOT NULL,
    media_type text,
    content bytea,
    requested_at timestamp(3) with time zone NOT NULL,
    failure text
);

CREATE TABLE public.mails (
    id uuid NOT NULL,
    kind text NOT NULL,
    recipient text NOT NULL,
    message_id text NOT NULL,
    sealed_values text,
    created_at timestamp(3) with time zone NOT NULL,
    sent_at timestamp(3) with time zone,
    team_id uuid,
    caused_by_user_id uuid
);

CREATE TABLE public.memberships (
    id uuid NOT NULL,
    user_id uuid NOT NULL,
    organization_id uuid NOT NULL,
    role text NOT NULL,
    status text NOT NULL,
    counts boolean NOT NULL,
    first_name text,
    last_name text,
    department text,
    title text,
    phone text,
    locale text,
    external_id text,
    last_used_at timestamp(3) with time zone,
    created_at timestamp(3) with time zone NOT NULL,
    updated_at timestamp(3) with time zone NOT NULL,
    search text DEFAULT ''::text NOT NULL,
    tokens_since timestamp(3) with time zone,
    factors_since timestamp(3) with time zone,
    second_factor_at timestamp(3) with time zone,
    last_unrestricted_use_at timestamp(3) with time zone,
    passwords_since timestamp(3) with time zone,
    source text,
    leave_at timestamp(3) with time zone,
    leave_permissions text[]
)
WITH (fillfactor='85');

CREATE TABLE public.oauth_tokens (
    hash bytea NOT NULL,
    kind text NOT NULL,
    grant_id uuid NOT NULL,
    payload jsonb NOT NULL,
    created_at timestamp(3) with time zone NOT NULL,
    expires_at timestamp(3) with time zone NOT NULL,
    consumed_at timestamp(3) with time zone,
    successor_key_id text
);

CREATE TABLE public.oidc_claims (
    id uuid NOT NULL,
    application_id uuid NOT NULL,
    name text NOT NULL,
    user_attribute text NOT NULL,
    regex_rule_id uuid,
    target_tokens text[] NOT NULL,
    created_at timestamp(3) with time zone NOT NULL
);

CREATE TABLE public.oidc_regex_rules (
    id uuid NOT NULL,
    application_id uuid NOT NULL,
    name text NOT NULL,
    pattern text NOT NULL,
    replacement text NOT NULL,
    flags text NOT NULL,
    created_at timestamp(3) with time zone NOT NULL
);

CREATE TABLE public.oidc_scopes (
    id uuid NOT NULL,
    application_id uuid NOT NULL,
    name text NOT NULL,
    description text,
    is_default boolean NOT NULL,
    created_at timestamp(3) with time zone NOT NULL
);

CREATE TABLE public.oidc_token_policies (
    application_id uuid NOT NULL,
    access_token_lifetime integer NOT NULL,
    id_token_lifetime integer NOT NULL,
    refresh_token_lifetime integer NOT NULL,
    rotation_enabled boolean NOT NULL,
    reuse_interval integer NOT NULL,
    tokens_until timestamp(3) with time zone,
    updated_at timestamp(3) with time zone NOT NULL
);

CREATE TABLE public.one_time_tokens (
    hash bytea NOT NULL,
    kind text NOT NULL,
    user_id uuid NOT NULL,
    organization_id uuid,
    email text NOT NULL,
    data jsonb NOT NULL,
    created_at timestamp(3) with time zone NOT NULL,
    expires_at timestamp(3) with time zone NOT NULL,
    used_at timestamp(3) with time zone,
    failures integer DEFAULT 0 NOT NULL,
    restricted_to_team_id uuid,
    epoch integer DEFAULT 0 NOT NULL,
    seed uuid,
    key_id text
);

CREATE TABLE public.organizations (
    id uuid NOT NULL,
    name text NOT NULL,
    slug text NOT NULL,
    domain text,
    plan text NOT NULL,
    status text NOT NULL,
    logo_url text,
    primary_color text,
    allowed_domains text[] NOT NULL,
    max_members integer NOT NULL,
    max_applications integer NOT NULL,
    settings jsonb NOT NULL,
    created_at timestamp(3) with time zone NOT NULL,
    updated_at timestamp(3) with time zone NOT NULL,
    policy_version integer DEFAULT 1 NOT NULL,
    session_max_lifetime_days integer,
    created_by uuid
);

CREATE TABLE public.passkeys (
    factor_id uuid NOT NULL,
    credential_id bytea NOT NULL,
    public_key bytea NOT NULL,
    counter bigint NOT NULL,
    transports text[] NOT NULL,
    aaguid text NOT NULL,
    backup_eligible boolean NOT NULL,
    backed_up boolean NOT NULL,
    signs_in boolean NOT NULL
);

CREATE TABLE public.password_history (
    user_id uuid NOT NULL,
    hash text NOT NULL,
    replaced_at timestamp(3) with time zone NOT NULL,
    organization_id uuid
);

CREATE TABLE public.password_policies (
    organization_id uuid NOT NULL,
    id uuid NOT NULL,
    min_length integer NOT NULL,
    require_uppercase boolean NOT NULL,
    require_lowercase boolean NOT NULL,
    require_numbers boolean NOT NULL,
    require_symbols boolean NOT NULL,
    max_age_days integer NOT NULL,
    history_count integer NOT NULL,
    lockout_threshold integer NOT NULL,
    lockout_minutes integer NOT NULL,
    created_at timestamp(3) with time zone NOT NULL,
    updated_at timestamp(3) with time zone NOT NULL
);

CREATE TABLE public.passwords (
    user_id uuid NOT NULL,
    hash text NOT NULL,
    set_at timestamp(3) with time zone NOT NULL,
    epoch integer DEFAULT 0 NOT NULL
);

CREATE TABLE public.pending_logouts (
    hash bytea NOT NULL,
    application_id uuid,
    session_id uuid NOT NULL,
    redirect_to text,
    expires_at timestamp(3) with time zone NOT NULL
);

CREATE TABLE public.policies (
    id uuid NOT NULL,
    organization_id uuid NOT NULL,
    name text NOT NULL,
    description text,
    type text NOT NULL,
    effect text NOT NULL,
    resource text NOT NULL,
    actions text[] NOT NULL,
    rules jsonb NOT NULL,
    conditions jsonb NOT NULL,
    priority integer NOT NULL,
    enabled boolean NOT NULL,
    created_at timestamp(3) with time zone NOT NULL,
    updated_at timestamp(3) with time zone NOT NULL
);

CREATE TABLE public.pushed_requests (
    hash bytea NOT NULL,
    application_id uuid NOT NULL,
    issuer text NOT NULL,
    parameters text NOT NULL,
    created_at timestamp(3) with time zone NOT NULL,
    expires_at timestamp(3) with time zone NOT NULL,
    generation integer
);

CREATE TABLE public.refresh_tokens (
    hash bytea NOT NULL,
    session_id uuid NOT NULL,
    created_at timestamp(3) with time zone NOT NULL,
    expires_at timestamp(3) with time zone NOT NULL,
    used_at timestamp(3) with time zone,
    successor_key_id text,
    switch_id uuid
);

CREATE TABLE public.released_slugs (
    slug text NOT NULL,
    organization_id uuid NOT NULL,
    released_at timestamp(3) with time zone NOT NULL
);

CREATE TABLE public.removed_members (
    organization_id uuid NOT NULL,
    email text NOT NULL,
    user_id uuid NOT NULL,
    removed_at timestamp(3) with time zone NOT NULL
);

CREATE TABLE public.revoked_access_tokens (
    hash bytea NOT NULL,
    expires_at timestamp(3) with time zone NOT NULL
);

CREATE TABLE public.saml_further_names (
    session_id uuid NOT NULL,
    application_id uuid NOT NULL,
    name_id text NOT NULL,
    name_id_format text NOT NULL,
    created_at timestamp(3) with time zone NOT NULL
);

CREATE TABLE public.saml_heard_logouts (
    application_id uuid NOT NULL,
    hash bytea NOT NULL,
    expires_at timestamp(3) with time zone NOT NULL
);

CREATE TABLE public.saml_keys (
    id uuid NOT NULL,
    organization_id uuid NOT NULL,
    application_id uuid,
    state text NOT NULL,
    certificate text NOT NULL,
    sealed_private_key text NOT NULL,
    not_after timestamp(3) with time zone NOT NULL,
    created_at timestamp(3) with time zone NOT NULL,
    ends_at timestamp(3) with time zone
);

CREATE TABLE public.saml_logouts (
    hash bytea NOT NULL,
    application_id uuid,
    payload jsonb NOT NULL,
    expires_at timestamp(3) with time zone NOT NULL
);

CREATE TABLE public.saml_name_ids (
    application_id uuid NOT NULL,
    user_id uuid NOT NULL,
    value text NOT NULL
);

CREATE TABLE public.saml_requests (
    hash bytea NOT NULL,
    application_id uuid NOT NULL,
    payload jsonb NOT NULL,
    created_at timestamp(3) with time zone NOT NULL,
    expires_at timestamp(3) with time zone NOT NULL
);

CREATE TABLE public.saml_sessions (
    session_id uuid NOT NULL,
    application_id uuid NOT NULL,
    session_index text NOT NULL,
    name_id text NOT NULL,
    name_id_format text NOT NULL,
    created_at timestamp(3) with time zone NOT NULL,
    last_used_at timestamp(3) with time zone
);

CREATE TABLE public.scim_groups (
    group_id uuid NOT NULL,
    organization_id uuid NOT NULL,
    external_id text
);

CREATE TABLE public.scim_requests (
    id uuid NOT NULL,
    organization_id uuid NOT NULL,
    token_id uuid,
    method text NOT NULL,
    path text NOT NULL,
    status integer NOT NULL,
    scim_type text,
    detail text,
    created_at timestamp(3) with time zone NOT NULL
);

CREATE TABLE public.scim_tokens (
    id uuid NOT NULL,
    organization_id uuid NOT NULL,
    name text NOT NULL,
    hash bytea NOT NULL,
    prefix text NOT NULL,
    permissions text[] NOT NULL,
    created_by uuid NOT NULL,
    expires_at timestamp(3) with time zone,
    last_used_at timestamp(3) with time zone,
    revoked_at timestamp(3) with time zone,
    created_at timestamp(3) with time zone NOT NULL,
    epoch integer DEFAULT 0 NOT NULL,
    temporary_set_by uuid
);

CREATE TABLE public.scim_users (
    membership_id uuid NOT NULL,
    organization_id uuid NOT NULL,
    user_name text,
    user_name_key text,
    address text,
    phone text,
    data jsonb NOT NULL
);

CREATE TABLE public.server_keys (
    id text NOT NULL,
    purpose text NOT NULL,
    algorithm text NOT NULL,
    sealed_key text NOT NULL,
    created_at timestamp(3) with time zone NOT NULL,
    active_at timestamp(3) with time zone NOT NULL
);

CREATE TABLE public.sessions (
    id uuid NOT NULL,
    user_id uuid NOT NULL,
    organization_id uuid NOT NULL,
    method text NOT NULL,
    amr text[] NOT NULL,
    confined_team_id uuid,
    password_due text,
    remember boolean NOT NULL,
    sso_hash bytea,
    ip_address text,
    user_agent text,
    authenticated_at timestamp(3) with time zone NOT NULL,
    last_seen_at timestamp(3) with time zone NOT NULL,
    expires_at timestamp(3) with time zone NOT NULL,
    ended_at timestamp(3) with time zone,
    end_reason text,
    created_at timestamp(3) with time zone NOT NULL,
    kind text DEFAULT 'session'::text NOT NULL,
    application_id uuid,
    parent_id uuid,
    scopes text[],
    issuer text,
    generation integer,
    mfa_due boolean DEFAULT false NOT NULL,
    admitted_team_ids uuid[] DEFAULT '{}'::uuid[] NOT NULL,
    delegated_from uuid[],
    delegated_tokens bytea[],
    epoch integer DEFAULT 0 NOT NULL,
    temporary_set_by uuid,
    enrollment_due_team_ids uuid[] DEFAULT '{}'::uuid[] NOT NULL,
    password_due_team_ids uuid[] DEFAULT '{}'::uuid[] NOT NULL,
    verified_factor_ids uuid[] DEFAULT '{}'::uuid[] NOT NULL,
    signed_in_at timestamp(3) with time zone DEFAULT now() NOT NULL,
    CONSTRAINT sessions_grant CHECK (((kind = 'session'::text) OR ((kind = 'grant'::text) AND (application_id IS NOT NULL) AND (scopes IS NOT NULL) AND (issuer IS NOT NULL) AND (generation IS NOT NULL))))
);

CREATE TABLE public.sign_in_editors (
    id uuid NOT NULL,
    organization_id uuid NOT NULL,
    source_id uuid NOT NULL,
    saved_by uuid NOT NULL,
    saved_epoch integer NOT NULL,
    saved_permissions text[] NOT NULL,
    created_at timestamp(3) with time zone NOT NULL
);

CREATE TABLE public.sign_in_places (
    user_id uuid NOT NULL,
    network text NOT NULL,
    ip_address text NOT NULL,
    last_seen_at timestamp(3) with time zone NOT NULL
);

CREATE TABLE public.signing_key_sets (
    organization_id uuid NOT NULL,
    version integer NOT NULL
);

CREATE TABLE public.signing_keys (
    id uuid NOT NULL,
    organization_id uuid NOT NULL,
    application_id uuid,
    kid text NOT NULL,
    algorithm text NOT NULL,
    public_jwk jsonb NOT NULL,
    sealed_private_key text NOT NULL,
    is_default boolean NOT NULL,
    use_for_access_tokens boolean NOT NULL,
    created_at timestamp(3) with time zone NOT NULL,
    retired_at timestamp(3) with time zone,
    certificate_chain text[],
    published_until timestamp(3) with time zone
);

CREATE TABLE public.sso_attempts (
    hash bytea NOT NULL,
    provider_id uuid NOT NULL,
    provider_version integer NOT NULL,
    kind text NOT NULL,
    browser_hash bytea NOT NULL,
    payload jsonb NOT NULL,
    return_to text,
    test_run uuid,
    created_at timestamp(3) with time zone NOT NULL,
    expires_at timestamp(3) with time zone NOT NULL
);

CREATE TABLE public.sso_providers (
    id uuid NOT NULL,
    organization_id uuid NOT NULL,
    name text NOT NULL,
    type text NOT NULL,
    protocol text NOT NULL,
    enabled boolean NOT NULL,
    auto_provision boolean NOT NULL,
    allowed_domains text[] NOT NULL,
    attribute_mapping jsonb NOT NULL,
    trusts_email boolean NOT NULL,
    trusts_mfa boolean NOT NULL,
    saml_entity_id text,
    saml_sso_url text,
    saml_slo_url text,
    saml_certificates text[] DEFAULT '{}'::text[] NOT NULL,
    saml_metadata_url text,
    saml_metadata_checked_at timestamp(3) with time zone,
    saml_metadata_error text,
    allow_idp_initiated boolean DEFAULT false NOT NULL,
    saml_required_signature text DEFAULT 'any'::text NOT NULL,
    oidc_issuer text,
    oidc_client_id text,
    oidc_client_secret text,
    oidc_auth_url text,
    oidc_token_url text,
    oidc_userinfo_url text,
    oidc_scopes text[] DEFAULT '{}'::text[] NOT NULL,
    version integer NOT NULL,
    saved_by uuid,
    saved_permissions text[] NOT NULL,
    created_at timestamp(3) with time zone NOT NULL,
    updated_at timestamp(3) with time zone NOT NULL,
    saml_metadata_due_at timestamp(3) with time zone,
    saml_from_metadata text[] DEFAULT '{}'::text[] NOT NULL,
    certificate_warning jsonb,
    saved_epoch integer DEFAULT 0 NOT NULL,
    temporary_set_by uuid,
    ca_certificate text,
    saml_slo_response_url text,
    saml_slo_post_url text,
    saml_slo_post_response_url text
);

CREATE TABLE public.sso_seen_messages (
    provider_id uuid NOT NULL,
    hash bytea NOT NULL,
    expires_at timestamp(3) with time zone NOT NULL
);

CREATE TABLE public.sso_sessions (
    session_id uuid NOT NULL,
    provider_id uuid NOT NULL,
    subject text NOT NULL,
    session_index text,
    created_at timestamp(3) with time zone NOT NULL,
    saml_name jsonb
);

CREATE TABLE public.sso_sign_ins (
    id uuid NOT NULL,
    provider_id uuid NOT NULL,
    organization_id uuid NOT NULL,
    kind text NOT NULL,
    outcome text,
    error text,
    detail text,
    user_id uuid,
    checks jsonb DEFAULT '[]'::jsonb NOT NULL,
    attributes jsonb DEFAULT '{}'::jsonb NOT NULL,
    created_at timestamp(3) with time zone NOT NULL,
    is_strangers boolean DEFAULT false NOT NULL
);

CREATE TABLE public.team_domains (
    organization_id uuid NOT NULL,
    domain text NOT NULL,
    token text NOT NULL,
    verified_at timestamp(3) with time zone,
    checked_at timestamp(3) with time zone,
    created_at timestamp(3) with time zone NOT NULL,
    due_at timestamp(3) with time zone,
    failures integer DEFAULT 0 NOT NULL
);

CREATE TABLE public.team_passwords (
    user_id uuid NOT NULL,
    organization_id uuid NOT NULL,
    hash text NOT NULL,
    is_temporary boolean NOT NULL,
    temporary_set_by uuid,
    epoch integer NOT NULL,
    set_at timestamp(3) with time zone NOT NULL
);

CREATE TABLE public.team_seats (
    organization_id uuid NOT NULL,
    taken integer NOT NULL
)
WITH (fillfactor='50');

CREATE TABLE public.team_sign_ins (
    user_id uuid NOT NULL,
    organization_id uuid NOT NULL,
    network text NOT NULL,
    device bytea NOT NULL,
    ip_address text,
    epoch integer NOT NULL,
    last_seen_at timestamp(3) with time zone NOT NULL
);

CREATE TABLE public.temporary_setters (
    user_id uuid NOT NULL,
    organization_id uuid NOT NULL,
    set_by uuid NOT NULL
);

CREATE TABLE public.throttle_counters (
    key bytea NOT NULL,
    count integer NOT NULL,
    window_ends_at timestamp(3) with time zone NOT NULL,
    locked_until timestamp(3) with time zone
);

CREATE TABLE public.totp_secrets (
    factor_id uuid NOT NULL,
    sealed_secret text NOT NULL,
    used_steps bigint[] DEFAULT '{}'::bigint[] NOT NULL,
    sealed_backup_codes text
);

CREATE TABLE public.used_proofs (
    hash bytea NOT NULL,
    expires_at timestamp(3) with time zone NOT NULL
);

CREATE TABLE public.users (
    id uuid NOT NULL,
    email text NOT NULL,
    email_verified_at timestamp(3) with time zone,
    first_name text,
    last_name text,
    status text NOT NULL,
    self_registered boolean NOT NULL,
    password_set_at timestamp(3) with time zone,
    made_by_team_id uuid,
    created_at timestamp(3) with time zone NOT NULL,
    updated_at timestamp(3) with time zone NOT NULL,
    department text,
    title text,
    phone text,
    locale text,
    second_factor_since timestamp(3) with time zone,
    epoch integer DEFAULT 0 NOT NULL,
    password_due_team_ids uuid[] DEFAULT '{}'::uuid[] NOT NULL,
    deletion_requested_at timestamp(3) with time zone,
    deletion_scheduled_at timestamp(3) with time zone
);

ALTER TABLE ONLY drizzle.__drizzle_migrations ALTER COLUMN id SET DEFAULT nextval('drizzle.__drizzle_migrations_id_seq'::regclass);

INSERT INTO drizzle.__drizzle_migrations VALUES
	(1, '87c43c2615f92066f9a2fe226a55ed60f0fd67d39603ee48223dda31724c9e5b', 1795176129461),
	(2, '139f33a0bd1ce5fbe85bee183ac5a5733af90985312a88d84ad19c20b2a3becd', 1795176130611),
	(3, '5bf4c5d52107a3bfc7d6c3949ed24053ac8cc5deecc0d759d4ec4ffb3635139f', 1795321385788),
	(4, 'b78b67631b03b22f832798aa405191ba85c82c5498622536fd2aac8c61cf2416', 1795321388454),
	(5, 'c1f6131f966e93426eae4c7379f93bcdd6f3f9166cb88bb1c3499e23a5c98e72', 1795321392927),
	(6, 'b49b778e97dad4558a93a10554e9d111aa5e4c68ee025460c89dd1653f5fcb7c', 1795335563416),
	(7, '44ebb3677ccd77a803092ce28358d584af266529bc09453d8a0ee5b8ed88b591', 1795351979726),
	(8, 'b841946d65dfe0288ac49f561a7d5e9bd368bd39d6abbbb0c062342bdce158e3', 1795361627335),
	(9, 'a33fef083dca0cfbe1666175303af213892a85d73fea2289a1c1093eeccc03f9', 1795362063389),
	(10, '2742cce79d7dc4da0e7b178e3dee45bec270af5be58b6f437ad69c04f641a20a', 1795366379076),
	(11, '44d3661ee46f83974e21152517d3b15b22005c09902704a59bee468c126c2dd1', 1795378962188),
	(12, 'ab637d0802cf4be0c1f192d8fda6032e6c9ae33fb603b695fd5e5d41799e0239', 1795384659270),
	(13, '97fbc4bb6cc66a0f6427180ced01c1a1b6be8400604962cfee549d7686c691e7', 1795392853264),
	(14, '8d9fccf3d9ac0dbfaa6a3d3065dc29cb1bfb9dd48d9920a8b4f51438d77b968f', 1795397992963),
	(15, 'e7ad9980cd47d0befae338e5a3fb18e6421f3b90156e0e52ce8930f58ef87b48', 1795399215760),
	(16, 'd5fcf4ae48366a11a9b985599c2db71d86987964f5914393f12201a24974b2d0', 1795400895798),
	(17, 'b12741321b85c4416faf000414b854c42b42d24e213a6d0d276b43aa04d0f44e', 1795410226007),
	(18, '243b258920b68758c97d359838c7c3151eabb089c38ddeb67408bc40d2ed892d', 1795424758921),
	(19, 'e8dc2e2f9863e1a75b2f8f73e0c78f6612fdf1b0085ae39127aaa3939d21e317', 1795451767411),
	(20, 'd0ca32952fb742b5e22bd03a17cea6dd393676ca38a04071d4abb976ccf7ee6e', 1795570676386),
	(21, '0b074d59ca253b4bbc5a511a9c70bf3e76810a58ce6f6543e106a50f551ed37e', 1795570680307),
	(22, '2380c424a96c861a48db11c3f8c86d23c1d17bfa28e8106fe25cd37113dc8e44', 1795572785155),
	(23, 'df8fd44c403be0f0419a25b60e5b83e7b7bbfb10efc51710d1a6f022cfad5846', 1795572982158),
	(24, '50d82757bbcd322a375c702f641775e284408c912c351ae3e459f46619194201', 1795572986216),
	(25, '4643fa8994f4171a82ed53309f41985484e6bc02a15a91c7ac10826002916518', 1795573474783),
	(26, '6da8ef0a6a05c8ba4ed8fffed6dbed90d663d3f3a89e784b4b97dc4e4c088592', 1795573477085),
	(27, '77dadc9ec62102134d8e4eb9312bbaa2a4eb9b053358b08c9d377e0b31fe3c95', 1795577591023),
	(28, '4ca874883f415378f3ae654677955839b8ba14f310c71604e4700703b38bccda', 1795583592276),
	(29, '71f9f0db946d97255792036b9910d1cdebc2f946f219e312dbf7f544b923dd98', 1795588928098),
	(30, '078e839fec06dba2e3b003545b15f5f70b0a967a1d800c4d6cc8b4155cc58d6f', 1795603704088),
	(31, 'b124b0a400b801124ed8bb718e9df0dad406d15473d0a64e3b021294e89a0302', 1795608408793),
	(32, '94a09026ace311080ffc5a360cced1512c871da1d446b0cab97f7f2a619b919f', 1795608500272),
	(33, '3554b8d31fd57aa77c27b4b0a49e774be2002c95feabfcdff128e0bc64251340', 1795608560357),
	(34, 'cdb601de5b705db2fb7f537531332a6505daeccd76d347678299215f61d06737', 1795608584289),
	(35, '57bb2385732dd9d6b19d02b5823be471ce97af02c130ecc63014bc3d24f2bd27', 1795621051602),
	(36, '6fcb3db2e907c0a670889e324527e4a0919664944748acef23b62e893e3dba69', 1795622772192),
	(37, 'bfea733784a069dfd8885b09b400892670dcef2d0ff0c2baa90845f5735fc522', 1795623688542),
	(38, 'dab13d7b85cb0102178cdc3581641ebdcb919d8bb4fd4f9cb84880b1a95da210', 1795623733185),
	(39, '148fc8d0d70a5dc282dcf7c47b21643fde87ed95e3ff776a1bd818dcdf9c89cf', 1795623735051),
	(40, 'e306c8d2b9d86255640bacf74e444c34cbca9992afc8465ffb605fca5db7293c', 1795623845305),
	(41, 'b47153ba5afa8c93ea3fc07a72908de9ebb1f9e885b1f3a812eec3603ad3ece0', 1795625244334),
	(42, 'ab7d8fad2035375c9ea1ed186d9745adcc37e43ae43003fc40497c40e521a848', 1795625375861),
	(43, 'decb051c6968ead83d82b93af5cfc346548e353a16cf7aca6d292f46cc092bfe', 1795641155439),
	(44, 'ae3b04764343a7f9db518280fa9629a6b3156819d24317c51028792e693cb11e', 1795641159273),
	(45, '72b878e08e0a4e26d26f53d775bf4f2c5b91c893f8dae32924cb8a2454e86d40', 1795697327976),
	(46, '976e8b7ef0bf16c59ea022d8cb82be1f56825fdbc0c2dd3b33e8501640d8e095', 1795707459724),
	(47, '2ddb08aed674bc8c8c1a86f2ce09a473b8de036781fc84705d546373e5d4db74', 1795709907197),
	(48, 'c8f97e30eccb5e965899c25a39b4befe62d7a117ae531f0f39c95a7b4cffee0d', 1795710525727),
	(49, '957da786b99fcf257ea2aed46f3b52e6f89665a39c2c3cc68c7b01cf2887cda3', 1795720996871),
	(50, '7be511b4c2a07f993cbd9f7c12b0661ff1a12222083e640bb52e38552e4fc44d', 1795724876161);

INSERT INTO public.api_tokens VALUES
	('01a224d6-5b54-7264-8b78-872cdfcc54d5', '01a224d6-579d-70ac-90be-f5efdd7b272a', 'Script', '\x83618bcf35050ef66994f7ef77e9f9a1de60313f505935700b2c373e694218ef', 'kw_GjEezNe', '{users:read}', '01a224d6-5786-75f0-a506-62327025efc6', NULL, NULL, NULL, '2026-11-29 01:05:57.588+00', 0, NULL);

INSERT INTO public.applications VALUES
	('01a224d6-5902-7230-8dc4-34567bfdf0af', '01a224d6-579d-70ac-90be-f5efdd7b272a', 'App', NULL, NULL, 'OIDC', 'da6775e69302639795fea1eb58f00317', '\xc27a36729457263830d4dc2e7371313c67ead8b2c0a1192c8283371de57a080d', NULL, '{https://rp.example/callback}', '{}', NULL, '{authorization_code,refresh_token}', '{code}', '{openid,profile,email,offline_access}', 'client_secret_basic', false, false, false, false, NULL, false, NULL, NULL, NULL, NULL, NULL, 1, 1, '2026-11-29 01:05:56.994+00', '2026-11-29 01:05:56.994+00', NULL, NULL, NULL, NULL, NULL, '{}', '{}', 0, NULL, false, NULL, false, NULL, 0, NULL, false, NULL, NULL, NULL);

INSERT INTO public.audit_checkpoint_heads VALUES
	('00000000-0000-0000-0000-000000000000', 1, 1, '\x2d56e8ac818928beb268d5c8f07b3d32bf3aaaebe7f0db25ae85fc083384aec5', 1),
	('01a224d6-55f5-7747-9111-c6e035036d39', 1, 6, '\x485002b3c8aa48808f14c162ea49548650c55a3aff43335cb9fe5b2296b852e6', 1),
	('01a224d6-579d-70ac-90be-f5efdd7b272a', 1, 24, '\x6084c4e491578bd6c156e92249643af7d398d7821165b30cf18d3f6b72d30fea', 1);

INSERT INTO public.audit_checkpoints VALUES
	(1, '\xa9ade977239f259e97d7b2597eee5894a56802bd856056d6e1760318dc587505', '\xc00e7e5bce41c38a24d393d72aa4f4aab75a20626f820cf83f6a2c4b4e1d5f1d', '01a224d6-544e-77dd-a686-f963117f9b15', '2026-11-29 01:06:03.929+00');

INSERT INTO public.audit_daily VALUES
	('00000000-0000-0000-0000-000000000000', '2026-11-29', 'instance.onboarded', 'SUCCESS', 1),
	('01a224d6-55f5-7747-9111-c6e035036d39', '2026-11-29', 'member.added', 'SUCCESS', 1),
	('01a224d6-55f5-7747-9111-c6e035036d39', '2026-11-29', 'organization.created', 'SUCCESS', 1),
	('01a224d6-55f5-7747-9111-c6e035036d39', '2026-11-29', 'user.created', 'SUCCESS', 1),
	('01a224d6-55f5-7747-9111-c6e035036d39', '2026-11-29', 'user.email_verified', 'SUCCESS', 1),
	('01a224d6-55f5-7747-9111-c6e035036d39', '2026-11-29', 'user.login', 'SUCCESS', 1),
	('01a224d6-55f5-7747-9111-c6e035036d39', '2026-11-29', 'user.reclaimed', 'SUCCESS', 1),
	('01a224d6-579d-70ac-90be-f5efdd7b272a', '2026-11-29', 'api_token.created', 'SUCCESS', 1),
	('01a224d6-579d-70ac-90be-f5efdd7b272a', '2026-11-29', 'application.consented', 'SUCCESS', 1),
	('01a224d6-579d-70ac-90be-f5efdd7b272a', '2026-11-29', 'application.created', 'SUCCESS', 1),
	('01a224d6-579d-70ac-90be-f5efdd7b272a', '2026-11-29', 'application.token_issued', 'SUCCESS', 1),
	('01a224d6-579d-70ac-90be-f5efdd7b272a', '2026-11-29', 'directory.created', 'SUCCESS', 1),
	('01a224d6-579d-70ac-90be-f5efdd7b272a', '2026-11-29', 'factor.enrolled', 'SUCCESS', 1),
	('01a224d6-579d-70ac-90be-f5efdd7b272a', '2026-11-29', 'factor.enrollment_started', 'SUCCESS', 1),
	('01a224d6-579d-70ac-90be-f5efdd7b272a', '2026-11-29', 'group.created', 'SUCCESS', 1),
	('01a224d6-579d-70ac-90be-f5efdd7b272a', '2026-11-29', 'group.members_replaced', 'SUCCESS', 1),
	('01a224d6-579d-70ac-90be-f5efdd7b272a', '2026-11-29', 'member.added', 'SUCCESS', 3),
	('01a224d6-579d-70ac-90be-f5efdd7b272a', '2026-11-29', 'member.invited', 'SUCCESS', 1),
	('01a224d6-579d-70ac-90be-f5efdd7b272a', '2026-11-29', 'organization.created', 'SUCCESS', 1),
	('01a224d6-579d-70ac-90be-f5efdd7b272a', '2026-11-29', 'policy.created', 'SUCCESS', 1),
	('01a224d6-579d-70ac-90be-f5efdd7b272a', '2026-11-29', 'scim_token.created', 'SUCCESS', 1),
	('01a224d6-579d-70ac-90be-f5efdd7b272a', '2026-11-29', 'signing_key.created', 'SUCCESS', 1),
	('01a224d6-579d-70ac-90be-f5efdd7b272a', '2026-11-29', 'sso_provider.created', 'SUCCESS', 1),
	('01a224d6-579d-70ac-90be-f5efdd7b272a', '2026-11-29', 'user.created', 'SUCCESS', 3),
	('01a224d6-579d-70ac-90be-f5efdd7b272a', '2026-11-29', 'user.email_verified', 'SUCCESS', 1),
	('01a224d6-579d-70ac-90be-f5efdd7b272a', '2026-11-29', 'user.login', 'SUCCESS', 2);

INSERT INTO public.audit_entries VALUES
	('01a224d6-5614-7025-a85d-9c4c014e54ff', NULL, '01a224d6-55ec-7072-9fb7-1bb582a2f0f6', NULL, 'instance.onboarded', 'user:01a224d6-55ec-7072-9fb7-1bb582a2f0f6', 'SUCCESS', '{"team": "01a224d6-55f5-7747-9111-c6e035036d39", "email": "admin-d0c5b0489f@example.com"}', NULL, '127.0.0.1', 'node', '01a224d6-558c-76b9-85c4-e6aa7da6901a', '2026-11-29 01:05:56.245+00'),
	('01a224d6-5617-7610-bfbb-22fe8dd57341', '01a224d6-55f5-7747-9111-c6e035036d39', '01a224d6-55ec-7072-9fb7-1bb582a2f0f6', NULL, 'organization.created', 'organization:01a224d6-55f5-7747-9111-c6e035036d39', 'SUCCESS', '{"name": "Keyward", "slug": "keyward-6c197e01"}', NULL, '127.0.0.1', 'node', '01a224d6-558c-76b9-85c4-e6aa7da6901a', '2026-11-29 01:05:56.247+00'),
	('01a224d6-5618-76ad-981b-dd0c2c7be984', '01a224d6-55f5-7747-9111-c6e035036d39', '01a224d6-55ec-7072-9fb7-1bb582a2f0f6', NULL, 'user.created', 'user:01a224d6-55ec-7072-9fb7-1bb582a2f0f6', 'SUCCESS', '{"method": "onboarding"}', NULL, '127.0.0.1', 'node', '01a224d6-558c-76b9-85c4-e6aa7da6901a', '2026-11-29 01:05:56.248+00'),
	('01a224d6-5618-76ae-b43b-25f1ed25a511', '01a224d6-55f5-7747-9111-c6e035036d39', '01a224d6-55ec-7072-9fb7-1bb582a2f0f6', NULL, 'member.added', 'user:01a224d6-55ec-7072-9fb7-1bb582a2f0f6', 'SUCCESS', '{"role": "SUPER_ADMIN"}', NULL, '127.0.0.1', 'node', '01a224d6-558c-76b9-85c4-e6aa7da6901a', '2026-11-29 01:05:56.248+00'),
	('01a224d6-5719-721b-be41-1f19ba476c7b', '01a224d6-55f5-7747-9111-c6e035036d39', '01a224d6-55ec-7072-9fb7-1bb582a2f0f6', NULL, 'user.email_verified', 'user:01a224d6-55ec-7072-9fb7-1bb582a2f0f6', 'SUCCESS', '{}', NULL, '127.0.0.1', 'node', '01a224d6-5704-74b3-9474-a6540c4f7042', '2026-11-29 01:05:56.505+00'),
	('01a224d6-573e-7785-bd74-b19403cf6ee6', '01a224d6-55f5-7747-9111-c6e035036d39', '01a224d6-55ec-7072-9fb7-1bb582a2f0f6', NULL, 'user.reclaimed', 'user:01a224d6-55ec-7072-9fb7-1bb582a2f0f6', 'SUCCESS', '{"sessionsEnded": 0, "teamsSetAside": 0, "factorsRemoved": 0, "passwordRemoved": false, "apiTokensRevoked": 0, "importsCancelled": 0, "consentsForgotten": 0, "providersOrphaned": 0, "scimTokensRevoked": 0, "invitationsRevoked": 0, "directoriesOrphaned": 0, "registrationTokensOrphaned": 0}', NULL, '127.0.0.1', 'node', '01a224d6-5704-74b3-9474-a6540c4f7042', '2026-11-29 01:05:56.542+00'),
	('01a224d6-5751-7081-94d8-9c7acb8a463b', '01a224d6-55f5-7747-9111-c6e035036d39', '01a224d6-55ec-7072-9fb7-1bb582a2f0f6', NULL, 'user.login', 'session:01a224d6-574a-71f4-bfd9-b684125cee39', 'SUCCESS', '{"amr": ["email"], "method": "magic_link", "reasons": ["new_device", "new_network"], "knownDevice": false, "secondFactor": "none"}', 40, '127.0.0.1', 'node', '01a224d6-5704-74b3-9474-a6540c4f7042', '2026-11-29 01:05:56.561+00'),
	('01a224d6-57ab-74e2-aaea-6f8b881a4069', '01a224d6-579d-70ac-90be-f5efdd7b272a', '01a224d6-5786-75f0-a506-62327025efc6', NULL, 'organization.created', 'organization:01a224d6-579d-70ac-90be-f5efdd7b272a', 'SUCCESS', '{"name": "user-9a2a4ddf14''s team", "slug": "user-9a2a4ddf14-s-team"}', NULL, '127.0.0.1', 'node', '01a224d6-577a-7341-a241-5e744229d475', '2026-11-29 01:05:56.651+00'),
	('01a224d6-57ac-7536-9562-b1730e85df6e', '01a224d6-579d-70ac-90be-f5efdd7b272a', '01a224d6-5786-75f0-a506-62327025efc6', NULL, 'member.added', 'user:01a224d6-5786-75f0-a506-62327025efc6', 'SUCCESS', '{"role": "OWNER"}', NULL, '127.0.0.1', 'node', '01a224d6-577a-7341-a241-5e744229d475', '2026-11-29 01:05:56.652+00'),
	('01a224d6-57b5-7340-9be0-43f43a20246d', '01a224d6-579d-70ac-90be-f5efdd7b272a', '01a224d6-5786-75f0-a506-62327025efc6', NULL, 'user.login', 'session:01a224d6-57b1-7390-bc17-886cb89a9a0f', 'SUCCESS', '{"amr": ["pwd"], "method": "registration", "reasons": ["new_device", "new_network"], "knownDevice": false, "secondFactor": "none"}', 40, '127.0.0.1', 'node', '01a224d6-577a-7341-a241-5e744229d475', '2026-11-29 01:05:56.661+00'),
	('01a224d6-57ba-7427-a6e7-0af4e0a3eab4', '01a224d6-579d-70ac-90be-f5efdd7b272a', '01a224d6-5786-75f0-a506-62327025efc6', NULL, 'user.created', 'user:01a224d6-5786-75f0-a506-62327025efc6', 'SUCCESS', '{"method": "registration"}', NULL, '127.0.0.1', 'node', '01a224d6-577a-7341-a241-5e744229d475', '2026-11-29 01:05:56.666+00'),
	('01a224d6-57f7-779a-9092-c9a8bb113ef6', '01a224d6-579d-70ac-90be-f5efdd7b272a', '01a224d6-5786-75f0-a506-62327025efc6', NULL, 'user.email_verified', 'user:01a224d6-5786-75f0-a506-62327025efc6', 'SUCCESS', '{}', NULL, '127.0.0.1', 'node', '01a224d6-57d8-76a6-a752-aa4aaaa19ed6', '2026-11-29 01:05:56.728+00'),
	('01a224d6-582b-754e-a2ec-2fae17bb63a1', '01a224d6-579d-70ac-90be-f5efdd7b272a', '01a224d6-5786-75f0-a506-62327025efc6', NULL, 'user.created', 'user:01a224d6-5827-766e-8b06-f409df28e247', 'SUCCESS', '{"email": "user-354c214ace@example.com", "method": "password"}', NULL, '127.0.0.1', 'node', '01a224d6-580c-77fd-be1f-a00883c33ee6', '2026-11-29 01:05:56.779+00'),
	('01a224d6-582b-754f-887d-495f0ce05c86', '01a224d6-579d-70ac-90be-f5efdd7b272a', '01a224d6-5786-75f0-a506-62327025efc6', NULL, 'member.added', 'user:01a224d6-5827-766e-8b06-f409df28e247', 'SUCCESS', '{"role": "MEMBER"}', NULL, '127.0.0.1', 'node', '01a224d6-580c-77fd-be1f-a00883c33ee6', '2026-11-29 01:05:56.779+00'),
	('01a224d6-5892-7594-a3e3-f55ff682855d', '01a224d6-579d-70ac-90be-f5efdd7b272a', '01a224d6-5827-766e-8b06-f409df28e247', NULL, 'user.login', 'session:01a224d6-588d-75b9-b99c-40a725905cd4', 'SUCCESS', '{"amr": ["pwd"], "method": "password", "reasons": ["new_device", "new_network"], "restricted": true, "knownDevice": false, "secondFactor": "none"}', 40, '127.0.0.1', 'node', '01a224d6-5863-7709-8c95-6887209d42b9', '2026-11-29 01:05:56.882+00'),
	('01a224d6-58a7-71fa-9b4b-5929db136023', '01a224d6-579d-70ac-90be-f5efdd7b272a', '01a224d6-5786-75f0-a506-62327025efc6', NULL, 'group.created', 'group:01a224d6-58a4-74f7-b786-08914f39637c', 'SUCCESS', '{"name": "Engineering"}', NULL, '127.0.0.1', 'node', '01a224d6-5899-709e-88b5-3e868855470e', '2026-11-29 01:05:56.903+00'),
	('01a224d6-58cc-7140-b847-f57691d7d73a', '01a224d6-579d-70ac-90be-f5efdd7b272a', '01a224d6-5786-75f0-a506-62327025efc6', NULL, 'policy.created', 'policy:01a224d6-58c8-7765-8919-086237bab409', 'SUCCESS', '{"name": "Read", "type": "ACCESS", "effect": "ALLOW", "resource": "documents/*"}', NULL, '127.0.0.1', 'node', '01a224d6-58ad-7370-aaa4-ed225c86e5d9', '2026-11-29 01:05:56.94+00'),
	('01a224d6-5911-779b-9f77-8057e4f6e32e', '01a224d6-579d-70ac-90be-f5efdd7b272a', '01a224d6-5786-75f0-a506-62327025efc6', NULL, 'application.created', 'application:01a224d6-5902-7230-8dc4-34567bfdf0af', 'SUCCESS', '{"name": "App", "type": "OIDC", "clientId": "da6775e69302639795fea1eb58f00317"}', NULL, '127.0.0.1', 'node', '01a224d6-58e5-716d-8b8a-0d2221ad5431', '2026-11-29 01:05:57.009+00'),
	('01a224d6-5955-77b3-b1fc-38ace9bbfed5', '01a224d6-579d-70ac-90be-f5efdd7b272a', NULL, NULL, 'signing_key.created', 'signing-key:01a224d6-594d-771b-8641-556595580603', 'SUCCESS', '{"kid": "qXdYYkqub9b3b61-", "algorithm": "RS256"}', NULL, '127.0.0.1', 'node', '01a224d6-5919-7747-9781-631729bccacb', '2026-11-29 01:05:57.077+00'),
	('01a224d6-5ad1-7186-a1c8-08bbade0d473', '01a224d6-579d-70ac-90be-f5efdd7b272a', '01a224d6-5786-75f0-a506-62327025efc6', NULL, 'application.consented', 'application:01a224d6-5902-7230-8dc4-34567bfdf0af', 'SUCCESS', '{"grant": "01a224d6-5ac6-7060-86be-ae4ab5badc6e", "client": "da6775e69302639795fea1eb58f00317", "scopes": ["openid", "email", "offline_access"]}', NULL, '127.0.0.1', 'node', '01a224d6-5a7d-755f-bb80-eecb78c7a7c1', '2026-11-29 01:05:57.457+00'),
	('01a224d6-5af0-75c7-ac3f-c7114e58b5d7', '01a224d6-579d-70ac-90be-f5efdd7b272a', '01a224d6-5786-75f0-a506-62327025efc6', NULL, 'application.token_issued', 'application:01a224d6-5902-7230-8dc4-34567bfdf0af', 'SUCCESS', '{"grant": "01a224d6-5ac6-7060-86be-ae4ab5badc6e", "grantType": "authorization_code"}', NULL, '127.0.0.1', 'node', '01a224d6-5ad6-724d-84c6-b4e62bae395e', '2026-11-29 01:05:57.488+00'),
	('01a224d6-5b0d-77d6-b606-0052638744a4', '01a224d6-579d-70ac-90be-f5efdd7b272a', '01a224d6-5786-75f0-a506-62327025efc6', NULL, 'directory.created', 'directory:01a224d6-5b0a-7365-be0a-206d6e707d9e', 'SUCCESS', '{"url": "ldaps://ldap.example.com"}', NULL, '127.0.0.1', 'node', '01a224d6-5af6-7347-911e-69c42da49eea', '2026-11-29 01:05:57.517+00'),
	('01a224d6-5b44-7249-abb0-c1875890037b', '01a224d6-579d-70ac-90be-f5efdd7b272a', '01a224d6-5786-75f0-a506-62327025efc6', NULL, 'sso_provider.created', 'sso_provider:01a224d6-5b3a-701d-a6f7-2a75a6e2752f', 'SUCCESS', '{"name": "Example", "type": "GENERIC_OIDC", "protocol": "OIDC"}', NULL, '127.0.0.1', 'node', '01a224d6-5b28-7039-b779-f458c3640cc1', '2026-11-29 01:05:57.572+00'),
	('01a224d6-5b56-763d-b6e4-f3a0eb57908f', '01a224d6-579d-70ac-90be-f5efdd7b272a', '01a224d6-5786-75f0-a506-62327025efc6', NULL, 'api_token.created', 'api_token:01a224d6-5b54-7264-8b78-872cdfcc54d5', 'SUCCESS', '{"name": "Script", "prefix": "kw_GjEezNe", "scopes": ["users:read"], "expiresAt": null}', NULL, '127.0.0.1', 'node', '01a224d6-5b4a-76a8-82f7-757a8f55c794', '2026-11-29 01:05:57.59+00'),
	('01a224d6-5b6b-70b8-9e76-6ca377c3bc45', '01a224d6-579d-70ac-90be-f5efdd7b272a', '01a224d6-5786-75f0-a506-62327025efc6', NULL, 'scim_token.created', 'scim_token:01a224d6-5b69-7211-aa8c-9dac301f54ec', 'SUCCESS', '{"name": "SCIM token", "prefix": "kwscim_fggnuo9", "expiresAt": null}', NULL, '127.0.0.1', 'node', '01a224d6-5b61-706d-be8b-23ec5237255c', '2026-11-29 01:05:57.611+00'),
	('01a224d6-5b8b-7024-8ec8-775fd671c775', '01a224d6-579d-70ac-90be-f5efdd7b272a', NULL, NULL, 'user.created', 'user:01a224d6-5b89-75be-97c5-081ba8cae8b0', 'SUCCESS', '{"email": "scim-7432dc92f6@example.com", "token": "01a224d6-5b69-7211-aa8c-9dac301f54ec", "method": "scim"}', NULL, '127.0.0.1', 'node', '01a224d6-5b76-74bb-88d0-91b2fad19f03', '2026-11-29 01:05:57.644+00'),
	('01a224d6-5b8c-74c4-8ca7-65ed3f1b7056', '01a224d6-579d-70ac-90be-f5efdd7b272a', NULL, NULL, 'member.added', 'user:01a224d6-5b89-75be-97c5-081ba8cae8b0', 'SUCCESS', '{"role": "MEMBER", "token": "01a224d6-5b69-7211-aa8c-9dac301f54ec", "method": "scim", "status": "active"}', NULL, '127.0.0.1', 'node', '01a224d6-5b76-74bb-88d0-91b2fad19f03', '2026-11-29 01:05:57.644+00'),
	('01a224d6-5ba3-7187-bb4b-863a365153af', '01a224d6-579d-70ac-90be-f5efdd7b272a', '01a224d6-5786-75f0-a506-62327025efc6', NULL, 'group.members_replaced', 'group:01a224d6-58a4-74f7-b786-08914f39637c', 'SUCCESS', '{"name": "Engineering", "added": 1, "removed": 0, "addedIds": ["01a224d6-5827-766e-8b06-f409df28e247"], "removedIds": []}', NULL, '127.0.0.1', 'node', '01a224d6-5b96-76bc-962f-fef86c48ca60', '2026-11-29 01:05:57.667+00'),
	('01a224d6-5bd5-76b3-8bde-3063ab668e25', '01a224d6-579d-70ac-90be-f5efdd7b272a', '01a224d6-5786-75f0-a506-62327025efc6', NULL, 'member.invited', 'invitation:01a224d6-5bce-7144-8931-e1dd06cc65b6', 'SUCCESS', '{"role": "MEMBER", "email": "invited-959d248a45@example.com"}', NULL, '127.0.0.1', 'node', '01a224d6-5bb9-7694-a26c-9bd9a755cda6', '2026-11-29 01:05:57.717+00'),
	('01a224d6-5c19-77e4-bd4f-c0c5d78677ef', '01a224d6-579d-70ac-90be-f5efdd7b272a', '01a224d6-5786-75f0-a506-62327025efc6', NULL, 'factor.enrollment_started', 'factor:01a224d6-5c16-75b9-8f10-0ca8d2cea47e', 'SUCCESS', '{"name": "Phone", "type": "TOTP"}', NULL, '127.0.0.1', 'node', '01a224d6-5bfe-7582-9a6e-e8d7c38550cf', '2026-11-29 01:05:57.785+00'),
	('01a224d6-5c74-744a-a2fb-02f48b68a309', '01a224d6-579d-70ac-90be-f5efdd7b272a', '01a224d6-5786-75f0-a506-62327025efc6', NULL, 'factor.enrolled', 'factor:01a224d6-5c16-75b9-8f10-0ca8d2cea47e', 'SUCCESS', '{"name": "Phone", "type": "TOTP"}', NULL, '127.0.0.1', 'node', '01a224d6-5c4b-73f6-9c88-204ac58d173f', '2026-11-29 01:05:57.876+00');

INSERT INTO public.audit_seals VALUES
	('00000000-0000-0000-0000-000000000000', 1, '{01a224d6-5614-7025-a85d-9c4c014e54ff}', '{"\\x2d56e8ac818928beb268d5c8f07b3d32bf3aaaebe7f0db25ae85fc083384aec5"}', '\x4ffb50a36a4df44c6954413b03de3cfa97e06729d9b1e0133ef4743454c803eb', '01a224d6-544e-77dd-a686-f963117f9b15', '2026-11-29 01:06:03.936+00'),
	('01a224d6-55f5-7747-9111-c6e035036d39', 1, '{01a224d6-5617-7610-bfbb-22fe8dd57341,01a224d6-5618-76ad-981b-dd0c2c7be984,01a224d6-5618-76ae-b43b-25f1ed25a511,01a224d6-5719-721b-be41-1f19ba476c7b,01a224d6-573e-7785-bd74-b19403cf6ee6,01a224d6-5751-7081-94d8-9c7acb8a463b}', '{"\\x1d46805943b110834f33d47fb9839ca777a0a805617cb8623e4bd98d75027583","\\x5b3601470fa60748d23090ccbde0a4e0016bdfbb92e473d5fe8034b531b5da66","\\xaffb1f5c60d9f94c7d28da7498028a0b99271538955dd78a48eb06a9682128a0","\\x77bb6a6d8de79d2eaaa8c07bffb3b33b063d770a5a4dfbe05268cd728b31200e","\\x88f028007c1d8ddf58df717c1a925fd8c4bcd86c5a3777796e707db740f57ab2","\\x485002b3c8aa48808f14c162ea49548650c55a3aff43335cb9fe5b2296b852e6"}', '\xe2f974998b4c570640c006a510856f7d96b0ade1fdcbec79f4b65ae85e825d14', '01a224d6-544e-77dd-a686-f963117f9b15', '2026-11-29 01:06:03.944+00'),
	('01a224d6-579d-70ac-90be-f5efdd7b272a', 1, '{01a224d6-57ab-74e2-aaea-6f8b881a4069,01a224d6-57ac-7536-9562-b1730e85df6e,01a224d6-57b5-7340-9be0-43f43a20246d,01a224d6-57ba-7427-a6e7-0af4e0a3eab4,01a224d6-57f7-779a-9092-c9a8bb113ef6,01a224d6-582b-754e-a2ec-2fae17bb63a1,01a224d6-582b-754f-887d-495f0ce05c86,01a224d6-5892-7594-a3e3-f55ff682855d,01a224d6-58a7-71fa-9b4b-5929db136023,01a224d6-58cc-7140-b847-f57691d7d73a,01a224d6-5911-779b-9f77-8057e4f6e32e,01a224d6-5955-77b3-b1fc-38ace9bbfed5,01a224d6-5ad1-7186-a1c8-08bbade0d473,01a224d6-5af0-75c7-ac3f-c7114e58b5d7,01a224d6-5b0d-77d6-b606-0052638744a4,01a224d6-5b44-7249-abb0-c1875890037b,01a224d6-5b56-763d-b6e4-f3a0eb57908f,01a224d6-5b6b-70b8-9e76-6ca377c3bc45,01a224d6-5b8b-7024-8ec8-775fd671c775,01a224d6-5b8c-74c4-8ca7-65ed3f1b7056,01a224d6-5ba3-7187-bb4b-863a365153af,01a224d6-5bd5-76b3-8bde-3063ab668e25,01a224d6-5c19-77e4-bd4f-c0c5d78677ef,01a224d6-5c74-744a-a2fb-02f48b68a309}', '{"\\x6ccced1287681576a522a63c5297ed0fa75a37ffa6c64b1944bfaa512e923e0e","\\xcfdf05204e281a7e23de4cb206bcd3852ce159a78cf81a275c64cfb68b3006a1","\\x6b47fd20820e75048824623345629e514bf1f51ae931fdb2493a10054c680b26","\\x0fb6897632168f970515261f7e4a503ae077e87156dc5268e01ad789bdb280b4","\\x95b085d7d56678b2aca6fb20711cc3e3c2730ae47e8597098ffff342268b4343","\\x0b9d4f205c6747f3935f1b08bdfaddf3491423408c3ce273d1e9585903871705","\\x4273221b79d2b347ea2a9a7d066813749bf6b0b9f5b068cf5ae7bfb884e82cd8","\\x6de50766c041e2239fa0c2c3605374aaadbe22779e935c3e9ff29886abfa92d2","\\x964ea10d0bafbb6d0d446aeb9687cf68e5e08d3b51b8f8ada9acda98ff8dd576","\\xb25f7eaf004572e26f501c736fc9791d058744cc3b14720aab33d621b3e005c2","\\xdcebbe0e65e401e413382621fb8b577f0aef0d88df16a8b5e966dcce2182acdb","\\xdc1614b550f6a86d564b3651797e843c7efbb2985242e58a5a1f6e3e43f8bec1","\\x0c8e957f8700b14a567290150e9ae452a547f194a7b39bc956e1eceb756ca29d","\\x9cf5cf936c060b54af11078054ba59e685f1834173072193d1bcbd223f6e142f","\\x62c4c905cb32dd9c16dd0b2e6bf42b23d02d1b7c70a0b5be6584371b36f1a0d4","\\x8101baa20f203c29ffaef71444cf58acdfdad024dfbc3601ffcd6da92d5019c1","\\xe50987d70797792faac724cceec09324af66059428dc9c46bc912c1580e0c3ae","\\x34f67a2de29d0d207d5b471825d9b9235548c8cc467437cde3db4f5567fa19a9","\\xd8e95358bde5e58db98d702371944b1e2e98b756bd0cf3886c7012b1f2d6519c","\\x293f6a01d26c775678ffaa2b0185c065c16c2b8936cf9f81fad70b97f5b2bdec","\\x8d243a63a3abaf9c44796512a1540a02820632fccf6ceaab61c10627374e3484","\\x6a7453318e1ae5b0eafa337e9d0bd7757c1f34de1ffc01ce72924b02a6c9f7a4","\\xd2a2ef4cbee7e337232e1a5ddd3cb1c25f49a854aaa21e003cd44e36592c6850","\\x6084c4e491578bd6c156e92249643af7d398d7821165b30cf18d3f6b72d30fea"}', '\xb3522ff7752480d98751e588375f7bc949e7819f90d8ebed42764a6f827ea33f', '01a224d6-544e-77dd-a686-f963117f9b15', '2026-11-29 01:06:03.946+00');

INSERT INTO public.backup_codes VALUES
	('01a224d6-5c68-7515-b7a1-90ade12b8590', '\xa83fdbbc1de1adf435df85e4339f41bfe503c94797ac2d9e74aa4317da1f3762', NULL),
	('01a224d6-5c68-7515-b7a1-90ade12b8590', '\xaaf4a8f07482a8cf70f4ddf06b4a08d3059752dc4ff1d582623260afdc1f6eaa', NULL),
	('01a224d6-5c68-7515-b7a1-90ade12b8590', '\xfec0edf7bb35314db311399a843654f34d0e68c0f243b4aa1f66f8791912e760', NULL),
	('01a224d6-5c68-7515-b7a1-90ade12b8590', '\xd146a3ba22037f14c6cfbe95dbcc66a25c019202d096b17c88594d8c4a503ddd', NULL),
	('01a224d6-5c68-7515-b7a1-90ade12b8590', '\x43db99127456b823191390e4124386171e2553c34b85913b9661079084b8b090', NULL),
	('01a224d6-5c68-7515-b7a1-90ade12b8590', '\x1e2d4cea335d4d4638d644fcee95e7bb93113beafb2e586e319ad3b013163a79', NULL),
	('01a224d6-5c68-7515-b7a1-90ade12b8590', '\x9596de74f60a98a82e72b49b12880322b05ee1f1bb36edf3f7731cffff346859', NULL),
	('01a224d6-5c68-7515-b7a1-90ade12b8590', '\xad5cd4ca939c04a3d6955148dce0c47f0d01522b83acfec161fd310816ef4271', NULL),
	('01a224d6-5c68-7515-b7a1-90ade12b8590', '\x366329e525ae23ef9106b4046c12d22e233c2399b989a153b477d52c9a2753f7', NULL),
	('01a224d6-5c68-7515-b7a1-90ade12b8590', '\x9f3b8a057ea771e4aaa5475a20bc383b1761155faca084f1f6b59e9f449ac19f', NULL);

INSERT INTO public.consents VALUES
	('01a224d6-5786-75f0-a506-62327025efc6', '01a224d6-5902-7230-8dc4-34567bfdf0af', '{openid,email,offline_access}', '{}', '2026-11-29 01:05:57.436+00', '2026-11-29 01:05:57.436+00', '{}', NULL, false);

INSERT INTO public.directories VALUES
	('01a224d6-5b0a-7365-be0a-206d6e707d9e', '01a224d6-579d-70ac-90be-f5efdd7b272a', true, 'active-directory', 'ldaps://ldap.example.com', false, NULL, 'dc=example,dc=com', 'cn=reader,dc=example,dc=com', 'v1.9b579219cbf3.EjKOFiG6hOSWayLD-qxxM-EHx3C3JcMc150vWX6p1Ui60kNvjzXYi515RiWfV22y3dkihf_O2UuNdZpJ.dPQBfUOL9qRAaTV4aM9TG40wUM6AkKAJ5JksgP-96PRiBw', '(&(objectClass=user)(!(isCriticalSystemObject=TRUE)))', '(&(objectClass=group)(!(isCriticalSystemObject=TRUE)))', '{}', 0, false, 1, '01a224d6-5786-75f0-a506-62327025efc6', '{org:read,org:update,org:delete,members:read,members:write,users:read,users:write,users:credentials,devices:write,groups:read,groups:write,groups:members,applications:read,applications:write,oidc-config:read,oidc-config:write,sso:read,sso:write,policies:read,policies:write,policies:evaluate,directory:read,directory:write,scim:token,audit:read,stats:read,webhooks:read,webhooks:write,api-tokens:read,api-tokens:write}', NULL, NULL, '2026-11-29 01:05:57.514+00', '2026-11-29 01:05:57.514+00', NULL, 0, NULL, NULL);

INSERT INTO public.factors VALUES
	('01a224d6-5c16-75b9-8f10-0ca8d2cea47e', '01a224d6-5786-75f0-a506-62327025efc6', 'TOTP', 'Phone', '2026-11-29 01:05:57.862+00', NULL, '2026-11-29 01:05:57.782+00', NULL, NULL, 0, '01a224d6-57b1-7390-bc17-886cb89a9a0f'),
	('01a224d6-5c68-7515-b7a1-90ade12b8590', '01a224d6-5786-75f0-a506-62327025efc6', 'BACKUP_CODE', 'Backup codes', '2026-11-29 01:05:57.864+00', NULL, '2026-11-29 01:05:57.864+00', NULL, NULL, 0, NULL);

INSERT INTO public.group_members VALUES
	('01a224d6-58a4-74f7-b786-08914f39637c', '01a224d6-5827-766e-8b06-f409df28e247', '01a224d6-579d-70ac-90be-f5efdd7b272a');

INSERT INTO public.groups VALUES
	('01a224d6-58a4-74f7-b786-08914f39637c', '01a224d6-579d-70ac-90be-f5efdd7b272a', 'Engineering', NULL, '2026-11-29 01:05:56.9+00', '2026-11-29 01:05:57.666+00');

INSERT INTO public.instance_settings VALUES
	('singleton', 'Keyward', NULL, '#3b5bdb', '{}', false, NULL, 7, NULL, '01a224d6-55f5-7747-9111-c6e035036d39', '2026-11-29 01:05:56.239+00', '01a224d6-55ec-7072-9fb7-1bb582a2f0f6', '2026-11-29 01:05:55.889+00', '2026-11-29 01:05:56.239+00', 90, NULL, NULL);

INSERT INTO public.invitations VALUES
	('01a224d6-5bce-7144-8931-e1dd06cc65b6', '01a224d6-579d-70ac-90be-f5efdd7b272a', 'invited-959d248a45@example.com', 'MEMBER', 'PENDING', '\xf6578c215d547de680bf91408144ac6993ce49ad4f02bcb0e1c6e18ec9cfb5e6', '01a224d6-5786-75f0-a506-62327025efc6', NULL, '2026-12-06 01:05:57.71+00', '2026-11-29 01:05:57.71+00', '2026-11-29 01:05:57.71+00', '{}', NULL);

INSERT INTO public.jobs VALUES
	('01a224d6-5579-716c-a7d0-b4ce894c33f0', 'jobs.purge', '{}', 'jobs.purge', '2026-11-29 02:05:56.089+00', 0, NULL, NULL, NULL, '2026-11-29 01:05:56.088+00', NULL),
	('01a224d6-5579-716d-9864-25349353124d', 'mail.purge', '{}', 'mail.purge', '2026-11-29 02:05:56.089+00', 0, NULL, NULL, NULL, '2026-11-29 01:05:56.088+00', NULL),
	('01a224d6-5579-716e-9ece-043e9b4e4cca', 'throttle.purge', '{}', 'throttle.purge', '2026-11-29 02:05:56.089+00', 0, NULL, NULL, NULL, '2026-11-29 01:05:56.088+00', NULL),
	('01a224d6-5579-7171-8019-cd69be279f9a', 'sessions.purge', '{}', 'sessions.purge', '2026-11-29 02:05:56.089+00', 0, NULL, NULL, NULL, '2026-11-29 01:05:56.088+00', NULL),
	('01a224d6-5579-7172-a99a-178649f560de', 'mfa.purge', '{}', 'mfa.purge', '2026-11-29 02:05:56.089+00', 0, NULL, NULL, NULL, '2026-11-29 01:05:56.088+00', NULL),
	('01a224d6-5579-7174-b1d7-6b754742b286', 'accounts.delete_due', '{}', 'accounts.delete_due', '2026-11-29 02:05:56.089+00', 0, NULL, NULL, NULL, '2026-11-29 01:05:56.088+00', NULL),
	('01a224d6-5579-7175-a82c-07032c3b5f5f', 'saml_keys.purge', '{}', 'saml_keys.purge', '2026-11-29 02:05:56.089+00', 0, NULL, NULL, NULL, '2026-11-29 01:05:56.088+00', NULL),
	('01a224d6-5579-7176-ac30-5fe16e21a67e', 'sso.purge', '{}', 'sso.purge', '2026-11-29 02:05:56.089+00', 0, NULL, NULL, NULL, '2026-11-29 01:05:56.088+00', NULL),
	('01a224d6-5579-717a-92a5-0a1df59d40f8', 'oidc_config.purge_keys', '{}', 'oidc_config.purge_keys', '2026-11-29 02:05:56.089+00', 0, NULL, NULL, NULL, '2026-11-29 01:05:56.088+00', NULL),
	('01a224d6-5579-717b-9694-961f6d7dd3cd', 'oidc.purge', '{}', 'oidc.purge', '2026-11-29 02:05:56.089+00', 0, NULL, NULL, NULL, '2026-11-29 01:05:56.088+00', NULL),
	('01a224d6-5579-717c-86ae-f32f11af485c', 'saml_provider.purge', '{}', 'saml_provider.purge', '2026-11-29 02:05:56.089+00', 0, NULL, NULL, NULL, '2026-11-29 01:05:56.088+00', NULL),
	('01a224d6-5579-717e-a881-1f2a9b343df0', 'directory.purge', '{}', 'directory.purge', '2026-11-29 02:05:56.089+00', 0, NULL, NULL, NULL, '2026-11-29 01:05:56.088+00', NULL),
	('01a224d6-5579-717f-a463-e968b48ce489', 'logos.purge', '{}', 'logos.purge', '2026-11-30 01:05:56.089+00', 0, NULL, NULL, NULL, '2026-11-29 01:05:56.088+00', NULL),
	('01a224d6-5579-716f-a2f6-cd1bf77faae2', 'keys.rotate', '{}', 'keys.rotate', '2026-11-30 01:05:56.175+00', 0, NULL, NULL, NULL, '2026-11-29 01:05:56.088+00', NULL),
	('01a224d6-5579-7173-a633-0a2e9e1de9c9', 'users.leave', '{}', 'users.leave', '2026-11-29 01:06:56.187+00', 0, NULL, NULL, NULL, '2026-11-29 01:05:56.088+00', NULL),
	('01a224d6-5579-7177-aec2-e2add79eea7d', 'sso.metadata', '{}', 'sso.metadata', '2026-11-29 01:10:56.193+00', 0, NULL, NULL, NULL, '2026-11-29 01:05:56.088+00', NULL),
	('01a224d6-5579-7178-9aae-390582c3583e', 'sso.domains', '{}', 'sso.domains', '2026-11-29 02:05:56.196+00', 0, NULL, NULL, NULL, '2026-11-29 01:05:56.088+00', NULL),
	('01a224d6-5579-7179-8376-d6169571674e', 'sso.certificates', '{}', 'sso.certificates', '2026-11-29 13:05:56.201+00', 0, NULL, NULL, NULL, '2026-11-29 01:05:56.088+00', NULL),
	('01a224d6-5579-717d-b430-6f80d628fa7b', 'directory.sweep', '{}', 'directory.sweep', '2026-11-29 01:06:56.211+00', 0, NULL, NULL, NULL, '2026-11-29 01:05:56.088+00', NULL),
	('01a224d6-5579-7170-92fa-71844b2546fc', 'audit.seal', '{}', 'audit.seal', '2026-11-29 01:06:08.951+00', 0, NULL, NULL, NULL, '2026-11-29 01:05:56.088+00', NULL);

INSERT INTO public.mails VALUES
	('01a224d6-5619-73b0-947b-5bedd758ff67', 'onboarding', 'admin-d0c5b0489f@example.com', '<01a224d6-5619-73b0-947b-5bedd758ff67@localhost>', NULL, '2026-11-29 01:05:56.249+00', '2026-11-29 01:05:56.475+00', NULL, NULL),
	('01a224d6-57bf-7655-a7c4-8596e67cdf23', 'verify_email', 'user-9a2a4ddf14@example.com', '<01a224d6-57bf-7655-a7c4-8596e67cdf23@localhost>', NULL, '2026-11-29 01:05:56.671+00', '2026-11-29 01:05:56.687+00', NULL, NULL),
	('01a224d6-5bd2-743a-981b-883c992a16d7', 'invitation', 'invited-959d248a45@example.com', '<01a224d6-5bd2-743a-981b-883c992a16d7@localhost>', NULL, '2026-11-29 01:05:57.715+00', '2026-11-29 01:05:57.75+00', '01a224d6-579d-70ac-90be-f5efdd7b272a', '01a224d6-5786-75f0-a506-62327025efc6'),
	('01a224d6-5c76-778f-bf52-72a87f4c8062', 'factor_changed', 'user-9a2a4ddf14@example.com', '<01a224d6-5c76-778f-bf52-72a87f4c8062@localhost>', NULL, '2026-11-29 01:05:57.878+00', '2026-11-29 01:06:03.898+00', NULL, NULL);

INSERT INTO public.memberships VALUES
	('01a224d6-55fe-726c-9cd3-85451cfcc6be', '01a224d6-55ec-7072-9fb7-1bb582a2f0f6', '01a224d6-55f5-7747-9111-c6e035036d39', 'SUPER_ADMIN', 'active', true, NULL, NULL, NULL, NULL, NULL, NULL, NULL, '2026-11-29 01:05:56.558+00', '2026-11-29 01:05:56.222+00', '2026-11-29 01:05:56.222+00', 'admin-d0c5b0489f@example.com', '2026-11-29 01:05:56.222+00', NULL, NULL, '2026-11-29 01:05:56.558+00', NULL, 'local', NULL, NULL),
	('01a224d6-57a1-7154-91dc-3c76cc2d54b9', '01a224d6-5786-75f0-a506-62327025efc6', '01a224d6-579d-70ac-90be-f5efdd7b272a', 'OWNER', 'active', true, NULL, NULL, NULL, NULL, NULL, NULL, NULL, '2026-11-29 01:05:56.66+00', '2026-11-29 01:05:56.641+00', '2026-11-29 01:05:56.641+00', 'user-9a2a4ddf14@example.com', '2026-11-29 01:05:56.641+00', NULL, NULL, '2026-11-29 01:05:56.66+00', NULL, 'local', NULL, NULL),
	('01a224d6-5829-773b-b5f2-33efd4c04b5d', '01a224d6-5827-766e-8b06-f409df28e247', '01a224d6-579d-70ac-90be-f5efdd7b272a', 'MEMBER', 'active', false, NULL, NULL, NULL, NULL, NULL, NULL, NULL, '2026-11-29 01:05:56.879+00', '2026-11-29 01:05:56.777+00', '2026-11-29 01:05:56.777+00', 'user-354c214ace@example.com', '2026-11-29 01:05:56.777+00', NULL, NULL, NULL, NULL, 'local', NULL, NULL),
	('01a224d6-5b8a-7070-8363-0664a92bc885', '01a224d6-5b89-75be-97c5-081ba8cae8b0', '01a224d6-579d-70ac-90be-f5efdd7b272a', 'MEMBER', 'active', false, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, '2026-11-29 01:05:57.642+00', '2026-11-29 01:05:57.642+00', 'scim-7432dc92f6@example.com', '2026-11-29 01:05:57.642+00', NULL, NULL, NULL, NULL, 'scim', NULL, NULL);

INSERT INTO public.oauth_tokens VALUES
	('\x3b6fd4227ad46f599abda2a2fba2a200928afbd3131ba42d9ed71afb2f2e304a', 'AuthorizationCode', '01a224d6-5ac6-7060-86be-ae4ab5badc6e', '{"amr": ["pwd"], "exp": 1795914417, "iat": 1795914357, "sid": "01a224d6-57b1-7390-bc17-886cb89a9a0f", "kind": "AuthorizationCode", "scope": "openid email offline_access", "grantId": "01a224d6-5ac6-7060-86be-ae4ab5badc6e", "authTime": 1795914356, "clientId": "da6775e69302639795fea1eb58f00317", "resource": "http://localhost:3000/api/v1/sso/oidc-idp/01a224d6-579d-70ac-90be-f5efdd7b272a/01a224d6-5902-7230-8dc4-34567bfdf0af", "accountId": "01a224d6-5786-75f0-a506-62327025efc6", "sessionUid": "01a224d6-57b1-7390-bc17-886cb89a9a0f", "redirectUri": "https://rp.example/callback", "codeChallenge": "zEIrtiX9YpwrWJPbxbPFlCyjrSfmAeSXLuaSkTaoADo", "codeChallengeMethod": "S256"}', '2026-11-29 01:05:57.451+00', '2026-11-29 01:06:57.451+00', '2026-11-29 01:05:57.488+00', '01a224d6-544e-77db-857a-ada5f2a2a16e'),
	('\x99d0f0044d8c7b5c116ca363407df186ea8774306b310c767d61d77b0617b3a3', 'RefreshToken', '01a224d6-5ac6-7060-86be-ae4ab5badc6e', '{"amr": ["pwd"], "exp": 1798506357, "gty": "authorization_code", "iat": 1795914357, "sid": "01a224d6-57b1-7390-bc17-886cb89a9a0f", "iiat": 1795914357, "kind": "RefreshToken", "scope": "openid email offline_access", "grantId": "01a224d6-5ac6-7060-86be-ae4ab5badc6e", "authTime": 1795914356, "clientId": "da6775e69302639795fea1eb58f00317", "resource": "http://localhost:3000/api/v1/sso/oidc-idp/01a224d6-579d-70ac-90be-f5efdd7b272a/01a224d6-5902-7230-8dc4-34567bfdf0af", "accountId": "01a224d6-5786-75f0-a506-62327025efc6", "rotations": 0, "sessionUid": "01a224d6-57b1-7390-bc17-886cb89a9a0f"}', '2026-11-29 01:05:57.488+00', '2026-12-29 01:05:57.488+00', NULL, NULL);

INSERT INTO public.one_time_tokens VALUES
	('\x445685e7648c560262729adc1aba86825b832483b4a6ed78bf08d5502f1d73e4', 'magic_link', '01a224d6-55ec-7072-9fb7-1bb582a2f0f6', '01a224d6-55f5-7747-9111-c6e035036d39', 'admin-d0c5b0489f@example.com', '{}', '2026-11-29 01:05:56.24+00', '2026-11-29 01:20:56.24+00', '2026-11-29 01:05:56.494+00', 0, NULL, 0, NULL, NULL),
	('\x87351b5386010a15d6f8e66b69a73699253902d7cff6130a2aa9864eda2398c9', 'verify_email', '01a224d6-5786-75f0-a506-62327025efc6', NULL, 'user-9a2a4ddf14@example.com', '{}', '2026-11-29 01:05:56.669+00', '2026-11-30 01:05:56.669+00', '2026-11-29 01:05:56.721+00', 0, NULL, 0, '01a224d6-57bd-7583-b3e6-5970919aa5a7', '01a224d6-544e-77e0-bf98-e70f4a080af5');

INSERT INTO public.organizations VALUES
	('01a224d6-55f5-7747-9111-c6e035036d39', 'Keyward', 'keyward-6c197e01', NULL, 'FREE', 'ACTIVE', NULL, NULL, '{}', 10000, 1000, '{}', '2026-11-29 01:05:56.213+00', '2026-11-29 01:05:56.213+00', 1, NULL, '01a224d6-55ec-7072-9fb7-1bb582a2f0f6'),
	('01a224d6-579d-70ac-90be-f5efdd7b272a', 'user-9a2a4ddf14''s team', 'user-9a2a4ddf14-s-team', NULL, 'FREE', 'ACTIVE', NULL, NULL, '{}', 10000, 1000, '{}', '2026-11-29 01:05:56.637+00', '2026-11-29 01:05:56.637+00', 2, NULL, '01a224d6-5786-75f0-a506-62327025efc6');

INSERT INTO public.passwords VALUES
	('01a224d6-5786-75f0-a506-62327025efc6', '$argon2id$v=19$m=64,t=1,p=1$nVuRF4uIT598dMQEMZATRw$6qFiBfWEK2mudEFOaUqCdQGLaogCUUaOBU0wahr8ATA', '2026-11-29 01:05:56.618+00', 0);

INSERT INTO public.policies VALUES
	('01a224d6-58c8-7765-8919-086237bab409', '01a224d6-579d-70ac-90be-f5efdd7b272a', 'Read', NULL, 'ACCESS', 'ALLOW', 'documents/*', '{read}', '[]', '{}', 0, true, '2026-11-29 01:05:56.936+00', '2026-11-29 01:05:56.936+00');

INSERT INTO public.refresh_tokens VALUES
	('\x023f8a861aac4021d7dbe2d9003f6609a67deea94ca5dccd656188dd1542ab21', '01a224d6-574a-71f4-bfd9-b684125cee39', '2026-11-29 01:05:56.554+00', '2026-12-29 01:05:56.554+00', NULL, NULL, NULL),
	('\xe9d54452ad71aa52e90032757dbe96c86c3346abd471b60e39f644b17a486351', '01a224d6-57b1-7390-bc17-886cb89a9a0f', '2026-11-29 01:05:56.657+00', '2026-12-29 01:05:56.657+00', NULL, NULL, NULL),
	('\x6b82db2001d4eedb77f344ef57cc56761ec06b900c8cfdf4c449b0064d21e221', '01a224d6-588d-75b9-b99c-40a725905cd4', '2026-11-29 01:05:56.877+00', '2026-12-29 01:05:56.877+00', NULL, NULL, NULL);

INSERT INTO public.scim_requests VALUES
	('01a224d6-5b94-736e-82fc-e5b3c5828dfe', '01a224d6-579d-70ac-90be-f5efdd7b272a', '01a224d6-5b69-7211-aa8c-9dac301f54ec', 'POST', '/Users', 201, NULL, NULL, '2026-11-29 01:05:57.652+00');

INSERT INTO public.scim_tokens VALUES
	('01a224d6-5b69-7211-aa8c-9dac301f54ec', '01a224d6-579d-70ac-90be-f5efdd7b272a', 'SCIM token', '\xf813a94aeb458a5833d4b52dc2ab0a0eafcc4df1d8200194deced28c39d763a0', 'kwscim_fggnuo9', '{org:read,org:update,org:delete,members:read,members:write,users:read,users:write,users:credentials,devices:write,groups:read,groups:write,groups:members,applications:read,applications:write,oidc-config:read,oidc-config:write,sso:read,sso:write,policies:read,policies:write,policies:evaluate,directory:read,directory:write,scim:token,audit:read,stats:read,webhooks:read,webhooks:write,api-tokens:read,api-tokens:write}', '01a224d6-5786-75f0-a506-62327025efc6', NULL, '2026-11-29 01:05:57.625+00', NULL, '2026-11-29 01:05:57.609+00', 0, NULL);

INSERT INTO public.scim_users VALUES
	('01a224d6-5b8a-7070-8363-0664a92bc885', '01a224d6-579d-70ac-90be-f5efdd7b272a', NULL, NULL, NULL, NULL, '{}');

INSERT INTO public.server_keys VALUES
	('01a224d6-544d-73b3-a77d-0655564e90b3', 'session', 'HS256', 'v1.9b579219cbf3.ymbZeXn7hTChrgucrsNJY8qfZZ6rrEg_Ks0wC2a16pi39N9JA8lhydm_Fqulreaq-bEXVXLXyog0dzGU.twUkgNc3P9IV38foJkwRz953F4hsnoZv2zZaN-hTOtwOeIYsDkJh2J3NfJjWxSib75poRTjs686J5uLk', '2026-11-29 01:05:55.79+00', '2026-11-29 01:05:55.79+00'),
	('01a224d6-544e-77db-857a-ada5f2a2a16e', 'successor', 'HS256', 'v1.9b579219cbf3.N7Iw_ddbrt-IGnrjQYDCc4YvGq7hbc1HB5X5XVT1gwfzWm8ZmMM3FdhZw6AtoR3_nG--RNvPXGU1DJXL.VAOXB2yh9fhQFDOdeUZGKQrUrKrJIfemQHWc8kugYihlKvHB_P9Tilv2ItvsEFAJ7QUQ7cgL9qEjpqPa', '2026-11-29 01:05:55.79+00', '2026-11-29 01:05:55.79+00'),
	('01a224d6-544e-77dc-a537-772480198f29', 'challenge', 'HS256', 'v1.9b579219cbf3.qwE20qM11RDwNArGXQi1oyclNP1T2KCvxRqWTz4rVV5fkhJKJahpvOTtg0ktUgmFLnM6ivXHQX5zWFGk.zcq3cSsHCL568iO8Y2BdACQVLV6lL_tQYj-N8w8Sa6Gki-zDp6FrSOpMxjBOT_-jQkaPQrorzYGbkNHT', '2026-11-29 01:05:55.79+00', '2026-11-29 01:05:55.79+00'),
	('01a224d6-544e-77dd-a686-f963117f9b15', 'seal', 'HS256', 'v1.9b579219cbf3.yfjAUsh9fCr1wHWHAGIpIY-ggVFyAlKcwLCfallMwdY_qT92dUX_Ns0Si6U8-vsY7Cc9ckpZ8vU8DIN-.QCKXw0tpVWVL4eyHDAR8KLxEDbZ6E_Fg4KEnnDGhL4vNCVQMMproAtesbeAiQA_2Ry6rNMPNoZrRaZKq', '2026-11-29 01:05:55.79+00', '2026-11-29 01:05:55.79+00'),
	('01a224d6-544e-77de-857b-cdf595da4bbe', 'backup_code', 'HS256', 'v1.9b579219cbf3.1ZJZHEg6weKelA11SdaiYZfsfyqbPsxUGIopvqPKcJRxZ5WS1aC5qn0Ni_rJzmFju5FLJAjpapq7S2N1.kvDFuakGGSPBKjxMjh0xSqOS-J3_MGZB-ZxNcfFofqgW8xzLWOJ-qGeqoj3zrM4s98_DOyC9rjDOLGbN', '2026-11-29 01:05:55.79+00', '2026-11-29 01:05:55.79+00'),
	('01a224d6-544e-77df-b090-3d113334f502', 'dpop_nonce', 'HS256', 'v1.9b579219cbf3.RxQ56tji3JEvkD6XRQMV-RKrQ5ElmCtw7ij8m6h5Yu-DXp7nO4n3MpDaZEmG2KTJnby84km6KaT0zm8Y.HsCs4XyuqU6jLeteDCAMY4CjOnrxUlaS2WL9MdvrQJYU7SDi1LO84tP3ywR7TytYj3yDYi-6PD3Cc2hO', '2026-11-29 01:05:55.79+00', '2026-11-29 01:05:55.79+00'),
	('01a224d6-544e-77e0-bf98-e70f4a080af5', 'link', 'HS256', 'v1.9b579219cbf3.8b4DhPNccwlH2lQau5iatpyoLGdgvACRkgffYu5n3W9q8roB-HRedmu267c9q2brE-SbrGdJiz8nFBMH.qYUs3kXnVW04kM6Myhv__cqe67phXUHPqlIMbCQK8eptuAk1l9JBE0lBhPisUZfR-TQRy3i25daB3p83', '2026-11-29 01:05:55.79+00', '2026-11-29 01:05:55.79+00'),
	('01a224d6-544e-77e1-bdf2-ea89299c599a', 'access_token', 'HS256', 'v1.9b579219cbf3.zeEtVimXA-Xo2TCe9-2IRljJZKxYox0sG2IqKqqPugem2zRxyD-LWOrGZyB1ewojevCB-g1uL1NlKR3z.zMe3P2MRXlgNR-LDoF0ndrs4SCrkEFl3Gj4Onf4mIpVDMV7_02hgdXgvrfdsjeeFZYNCo882n9SQcpap', '2026-11-29 01:05:55.791+00', '2026-11-29 01:05:55.791+00'),
	('01a224d6-544f-714f-a1e6-e83ab479c4ad', 'log', 'HS256', 'v1.9b579219cbf3.BKUja9CUJiqHjA17uKunngCKFDhXZwkfz74nvR-l6DRxJr4IFFw3s1fh6AhaX5p_nbi0kjo78-OUMEg0.4yVNlxYZWdSjfzgIy5uqJFXgq4GcMJ3dkX4ID63s5YeOq4IucMIoJqmT3r7OAtfIps73rqNIhanXQdML', '2026-11-29 01:05:55.791+00', '2026-11-29 01:05:55.791+00');

INSERT INTO public.sessions VALUES
	('01a224d6-574a-71f4-bfd9-b684125cee39', '01a224d6-55ec-7072-9fb7-1bb582a2f0f6', '01a224d6-55f5-7747-9111-c6e035036d39', 'magic_link', '{email}', NULL, NULL, true, '\xa90544362dabbd95b81f294427750bdcf20db5648d5f7f11d44ad1337e9d01cf', '127.0.0.1', 'node', '2026-11-29 01:05:56.554+00', '2026-11-29 01:05:56.554+00', '2026-12-29 01:05:56.554+00', NULL, NULL, '2026-11-29 01:05:56.554+00', 'session', NULL, NULL, NULL, NULL, NULL, false, '{01a224d6-55f5-7747-9111-c6e035036d39}', NULL, NULL, 1, NULL, '{}', '{}', '{}', '2026-11-29 01:05:56.554+00'),
	('01a224d6-588d-75b9-b99c-40a725905cd4', '01a224d6-5827-766e-8b06-f409df28e247', '01a224d6-579d-70ac-90be-f5efdd7b272a', 'password', '{pwd}', '01a224d6-579d-70ac-90be-f5efdd7b272a', 'temporary', true, '\xa34ddc1073b441b46164cdd0535797bedaed7bdb816aef4be3f45cb1abc292ec', '127.0.0.1', 'node', '2026-11-29 01:05:56.877+00', '2026-11-29 01:05:56.877+00', '2026-12-29 01:05:56.877+00', NULL, NULL, '2026-11-29 01:05:56.877+00', 'session', NULL, NULL, NULL, NULL, NULL, false, '{01a224d6-579d-70ac-90be-f5efdd7b272a}', NULL, NULL, 0, '01a224d6-5786-75f0-a506-62327025efc6', '{}', '{}', '{}', '2026-11-29 01:05:56.877+00'),
	('01a224d6-5ac6-7060-86be-ae4ab5badc6e', '01a224d6-5786-75f0-a506-62327025efc6', '01a224d6-579d-70ac-90be-f5efdd7b272a', 'authorization', '{pwd}', NULL, NULL, false, NULL, NULL, NULL, '2026-11-29 01:05:56.657+00', '2026-11-29 01:05:57.488+00', '2026-12-29 02:05:57.488+00', NULL, NULL, '2026-11-29 01:05:57.451+00', 'grant', '01a224d6-5902-7230-8dc4-34567bfdf0af', '01a224d6-57b1-7390-bc17-886cb89a9a0f', '{openid,email,offline_access}', '01a224d6-579d-70ac-90be-f5efdd7b272a/01a224d6-5902-7230-8dc4-34567bfdf0af', 1, false, '{}', NULL, NULL, 0, NULL, '{}', '{}', '{}', '2026-11-29 01:05:57.406+00'),
	('01a224d6-57b1-7390-bc17-886cb89a9a0f', '01a224d6-5786-75f0-a506-62327025efc6', '01a224d6-579d-70ac-90be-f5efdd7b272a', 'registration', '{mfa,otp,pwd}', NULL, NULL, true, '\xfebc0e221afc725e942328231f307dad1cf9b3fdbc70935be0d5daccc7987b76', '127.0.0.1', 'node', '2026-11-29 01:05:56.657+00', '2026-11-29 01:05:56.657+00', '2026-12-29 01:05:56.657+00', NULL, NULL, '2026-11-29 01:05:56.657+00', 'session', NULL, NULL, NULL, NULL, NULL, false, '{01a224d6-579d-70ac-90be-f5efdd7b272a}', NULL, NULL, 0, NULL, '{}', '{}', '{01a224d6-5c68-7515-b7a1-90ade12b8590,01a224d6-5c16-75b9-8f10-0ca8d2cea47e}', '2026-11-29 01:05:56.657+00');

INSERT INTO public.sign_in_places VALUES
	('01a224d6-55ec-7072-9fb7-1bb582a2f0f6', '127.0.0/24', '127.0.0.1', '2026-11-29 01:05:56.56+00'),
	('01a224d6-5786-75f0-a506-62327025efc6', '127.0.0/24', '127.0.0.1', '2026-11-29 01:05:56.66+00');

INSERT INTO public.signing_key_sets VALUES
	('01a224d6-579d-70ac-90be-f5efdd7b272a', 1);

INSERT INTO public.signing_keys VALUES
	('01a224d6-594d-771b-8641-556595580603', '01a224d6-579d-70ac-90be-f5efdd7b272a', NULL, 'qXdYYkqub9b3b61-', 'RS256', '{"e": "AQAB", "n": "z4O4xt6YdiLsX7g-j1zbo2PdkpNO0_1AgPsDoyvq-fTAXF_O99ksxJprUfLWnou9Qj_pkE0tRXkaffN14ntTCLWyfvwk_N8FVFasT4OZQU04Ds2gezoo1yIt8Zs-___mu7Kt0hnNc3qzOpaVEn8fdYe8hBhqeTWqtsPKuvahe4b-bfqP1TsydqMyzixMdD9fG6VE5oRaxV2RNW9FJ2H1sTcggpdhVjfP1qcftLS1PPmwX3h0HCTgUTt3PgEFH-ccz2_ITDgZ7ag3T4JF9GYQZWeB20LM3tfCcG1KtnDM17vy4Ftj1LDxdsoegq1HgfdFTKm2tciqRj-ciuvTCUkl2w", "alg": "RS256", "kid": "qXdYYkqub9b3b61-", "kty": "RSA", "use": "sig"}', 'v1.9b579219cbf3.DsvDxX1KkUIUr8OOznsumBEE1iVofgFQhy1tiRGhE6IIbshYEWDRIWaTrV2VUICCTmMZ7bZEttl1rHEK.QhP6xkXpFaXYhZ5PL3Tp8Qf3R4q6qibKxMPA0y5tinsuPlHGtBDrl3L9eczN5t-9x40R0d-m0UIUDl_vDqcUwawZPXFjD5ozazegRGgnLmk6A08o1PdxJmjhusGPq2dMcx4DbwrK_dbWnT2C11JiYcEWBqZnFY4PoYKlCCrKKyH-3q-qfYSNYZjUxJGQlJsaAfwI0yiwIK2cLoZqfHeIyEFo50f5AwIrCc7t2grXRNUfYYsty3_5hgvCtfeeC_KMMS_Gkpk9yCmdFlLtZpvacQ1Z_fA4Ovw3cqYyRsNvXFN_JFYEIR_Fr_kCkudZgLCXh62vZVxyiJYrtlqiK3n1Gt_JZD_Xldj-o1LUwrnmbSI5XR736LoezTHupfGG6fPHTtNlLWsmQKQy_DXqBipxBMZlxV_pZL1IyXiNkmddBYhIB9QS3eOSZPAPaht17p9hFkc5u5yRwwUH8m3R-CPlxztaYfdhMvm62oGuPT5CnDUUIIqVxiUTfZa_vQEVSl4jkMTaES_6Ev-Afkza_NJmyffPDP7pZkBdpct-SeqBMwErIxbgLchY2F6vGCUS7iORjb3_NJdj96BR521Bdmxa0pfghU9htpnAGr_-DHG4YdATQ185WFvNUr-lYDG_AF0o-E9TbRENIKxZZj8MUxp2Nt-z9aBtICo-r4cbB8UeyZDs8n5Ui7kfE7KVzjge5KzGFibL5dSYpCWy2Qx_HL1xlQCBb0WSOpBXg2REpkWFA426bDe66P6sXTzK6H0PtjuwcbBruqWRtgtDSz6COOF7MoDYg8KCwhkDoJNO_ULIhPcPRBCTrowLDDicmh32EnddiXZtfnoWWdA6SKf8ChuRnHZQH-EaSmwOIPhOeZFqp4rTriq0Fe8NoBnsnBQ5rr6Ytrptoc7xQX_3EGcp90OW9ba7BIexKc_7T6UCts-roqlj_CQPhUBwL_R-Xk97aI2S6ewdvhrtYXIpDCd7YuKbwK5YoqRiIerMQCQQdfRiYlnYgbILFJoVOIv9GQkuBU8Cf1i4UnCr_DzhKrjOnl_iNgjIpwpG5_ydui8M2DKvD97154vwucD4to1B8NN2LUHgMYY52nUKvtj-tB4h5PBu2caW1kyIotZtxnuo7Ha5PLW6OUit8RKZ2YlZre50Hs_jjzegJZiD3d5zvzMkI7GQbePA3X1JXI6gnLLosq2H-I_MUgkNrHzFnI4FhI6rwfxNIpI2HZUFcRElbSyc-PatQpOzL_PhkZZbi0Qai_99xERqxKL4jLxkc_NgkKinacq8r56nIRhJN3n0H2_rPur3ne-4y-jdG4Fv89yQKFZVQ8hc9mEWTyhFZ42PO7D4wXczKsgYqOCBGoSBYqfLVr2Cj-LetqviUNQ-avS2CQV5CBVi_uTdjBniTG-_aisrNUSMjVXHoS1TM9ycRoYBq7KfaRoPlgXq4aAOkZABxUaux3uOdmifEb7XaQsYLUlpxDCGepWpLNEssf61L6TuiPOrDq0wRMrfa8Z_kBXCW1buuZJqhf2NAfNauYE1Wp4i_mQzpPESA5BmEdyN1rI7gi_SoK2qocuFkoPVWhQU2EVjruMvyacysNgybCsJIJy0SECOKH1BOQpaS8nR5ydQovU3MHba1GJcoKCjY-hs3bPDaorgLDKfmh3CM_TwGAVZnQ', true, false, '2026-11-29 01:05:57.07+00', NULL, NULL, NULL);

INSERT INTO public.sso_providers VALUES
	('01a224d6-5b3a-701d-a6f7-2a75a6e2752f', '01a224d6-579d-70ac-90be-f5efdd7b272a', 'Example', 'GENERIC_OIDC', 'OIDC', true, false, '{}', '{}', false, false, NULL, NULL, NULL, '{}', NULL, NULL, NULL, false, 'any', 'https://idp.example.com', 'keyward', 'v1.9b579219cbf3.e_9X-UIxTR_4BiemeDqHo3huSaYEgQGyb1zW0XChoyuNcjnr1wKyY9JNm96z2kqPzOpT9UILKhl36550.vU2aFt7sutv91eiec1eLJZUUzC--Yr7Bp2s7jVULMbD7DJ5rvmaAMUlVFQ', NULL, NULL, NULL, '{openid,profile,email}', 1, '01a224d6-5786-75f0-a506-62327025efc6', '{org:read,org:update,org:delete,members:read,members:write,users:read,users:write,users:credentials,devices:write,groups:read,groups:write,groups:members,applications:read,applications:write,oidc-config:read,oidc-config:write,sso:read,sso:write,policies:read,policies:write,policies:evaluate,directory:read,directory:write,scim:token,audit:read,stats:read,webhooks:read,webhooks:write,api-tokens:read,api-tokens:write}', '2026-11-29 01:05:57.562+00', '2026-11-29 01:05:57.562+00', NULL, '{}', NULL, 0, NULL, NULL, NULL, NULL, NULL);

INSERT INTO public.team_passwords VALUES
	('01a224d6-5827-766e-8b06-f409df28e247', '01a224d6-579d-70ac-90be-f5efdd7b272a', '$argon2id$v=19$m=64,t=1,p=1$NZ5kCobS9cki/Uw1eQAVXA$kL/mmJ688nrBVybmI4Uq8yoMT+DtfCenRZreTX3od90', true, '01a224d6-5786-75f0-a506-62327025efc6', 0, '2026-11-29 01:05:56.78+00');

INSERT INTO public.team_seats VALUES
	('01a224d6-55f5-7747-9111-c6e035036d39', 1),
	('01a224d6-579d-70ac-90be-f5efdd7b272a', 3);

INSERT INTO public.team_sign_ins VALUES
	('01a224d6-5827-766e-8b06-f409df28e247', '01a224d6-579d-70ac-90be-f5efdd7b272a', '127.0.0/24', '\x', '127.0.0.1', 0, '2026-11-29 01:05:56.881+00');

INSERT INTO public.temporary_setters VALUES
	('01a224d6-5827-766e-8b06-f409df28e247', '01a224d6-579d-70ac-90be-f5efdd7b272a', '01a224d6-5786-75f0-a506-62327025efc6');

INSERT INTO public.throttle_counters VALUES
	('\x09f2f9db08442823f7a5ce51f34188e44c604fa4134c76abcfedecb923e0fb9b', 1, '2026-11-29 02:05:56.608+00', NULL),
	('\x98a3a177e2a31545e77bc53ac0a2dcf587caeae08c9c4c6b5780bc7a9e28806a', 0, '2026-11-29 01:15:57.366+00', NULL);

INSERT INTO public.totp_secrets VALUES
	('01a224d6-5c16-75b9-8f10-0ca8d2cea47e', 'v1.9b579219cbf3.qTONEty2U8xaH1dHToharB0t3R3i78ztunWlGLqrVQmBqKljLF9WNBemJ3AClK4-WGYy3ieA0Fdwudxb.I_Zfuw2a1AG5yZ2oGvesRx6NQaWirFaSDMxkXMRr2gDGDToIJjWJyBhYV8DUkEc1m2C5ZpbchYFazUtZ', '{}', NULL);

INSERT INTO public.users VALUES
	('01a224d6-55ec-7072-9fb7-1bb582a2f0f6', 'admin-d0c5b0489f@example.com', '2026-11-29 01:05:56.496+00', NULL, NULL, 'active', false, NULL, NULL, '2026-11-29 01:05:56.204+00', '2026-11-29 01:05:56.538+00', NULL, NULL, NULL, NULL, NULL, 1, '{}', NULL, NULL),
	('01a224d6-5827-766e-8b06-f409df28e247', 'user-354c214ace@example.com', NULL, NULL, NULL, 'active', false, NULL, '01a224d6-579d-70ac-90be-f5efdd7b272a', '2026-11-29 01:05:56.775+00', '2026-11-29 01:05:56.775+00', NULL, NULL, NULL, NULL, NULL, 0, '{}', NULL, NULL),
	('01a224d6-5b89-75be-97c5-081ba8cae8b0', 'scim-7432dc92f6@example.com', NULL, NULL, NULL, 'active', false, NULL, '01a224d6-579d-70ac-90be-f5efdd7b272a', '2026-11-29 01:05:57.641+00', '2026-11-29 01:05:57.641+00', NULL, NULL, NULL, NULL, NULL, 0, '{}', NULL, NULL),
	('01a224d6-5786-75f0-a506-62327025efc6', 'user-9a2a4ddf14@example.com', '2026-11-29 01:05:56.726+00', NULL, NULL, 'active', true, '2026-11-29 01:05:56.618+00', NULL, '2026-11-29 01:05:56.614+00', '2026-11-29 01:05:57.867+00', NULL, NULL, NULL, NULL, '2026-11-29 01:05:57.862+00', 0, '{}', NULL, NULL);

SELECT pg_catalog.setval('drizzle.__drizzle_migrations_id_seq', 50, true);

ALTER TABLE ONLY drizzle.__drizzle_migrations
    ADD CONSTRAINT __drizzle_migrations_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.adaptive_users
    ADD CONSTRAINT adaptive_users_pkey PRIMARY KEY (user_id);

ALTER TABLE ONLY public.answered_challenges
    ADD CONSTRAINT answered_challenges_pkey PRIMARY KEY (hash);

ALTER TABLE ONLY public.api_tokens
    ADD CONSTRAINT api_tokens_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.application_groups
    ADD CONSTRAINT application_groups_application_id_group_id_pk PRIMARY KEY (application_id, group_id);

ALTER TABLE ONLY public.application_users
    ADD CONSTRAINT application_users_application_id_user_id_pk PRIMARY KEY (application_id, user_id);

ALTER TABLE ONLY public.applications
    ADD CONSTRAINT applications_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.audit_checkpoint_heads
    ADD CONSTRAINT audit_checkpoint_heads_chain_seal_pk PRIMARY KEY (chain, seal);

ALTER TABLE ONLY public.audit_checkpoints
    ADD CONSTRAINT audit_checkpoints_pkey PRIMARY KEY (number);

ALTER TABLE ONLY public.audit_daily
    ADD CONSTRAINT audit_daily_chain_day_action_result_pk PRIMARY KEY (chain, day, action, result);

ALTER TABLE ONLY public.audit_entries
    ADD CONSTRAINT audit_entries_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.audit_pending
    ADD CONSTRAINT audit_pending_pkey PRIMARY KEY (entry_id);

ALTER TABLE ONLY public.audit_removals
    ADD CONSTRAINT audit_removals_pkey PRIMARY KEY (chain);

ALTER TABLE ONLY public.audit_seals
    ADD CONSTRAINT audit_seals_chain_number_pk PRIMARY KEY (chain, number);

ALTER TABLE ONLY public.backup_codes
    ADD CONSTRAINT backup_codes_factor_id_hash_pk PRIMARY KEY (factor_id, hash);

ALTER TABLE ONLY public.blocked_teams
    ADD CONSTRAINT blocked_teams_user_id_organization_id_pk PRIMARY KEY (user_id, organization_id);

ALTER TABLE ONLY public.consents
    ADD CONSTRAINT consents_user_id_application_id_restricted_pk PRIMARY KEY (user_id, application_id, restricted);

ALTER TABLE ONLY public.device_codes
    ADD CONSTRAINT device_codes_pkey PRIMARY KEY (hash);

ALTER TABLE ONLY public.directories
    ADD CONSTRAINT directories_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.directory_entries
    ADD CONSTRAINT directory_entries_directory_id_no_pk PRIMARY KEY (directory_id, no);

ALTER TABLE ONLY public.directory_members
    ADD CONSTRAINT directory_members_directory_id_group_no_member_pk PRIMARY KEY (directory_id, group_no, member);

ALTER TABLE ONLY public.directory_runs
    ADD CONSTRAINT directory_runs_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.external_identities
    ADD CONSTRAINT external_identities_provider_id_subject_pk PRIMARY KEY (provider_id, subject);

ALTER TABLE ONLY public.factors
    ADD CONSTRAINT factors_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.form_responses
    ADD CONSTRAINT form_responses_pkey PRIMARY KEY (hash);

ALTER TABLE ONLY public.group_members
    ADD CONSTRAINT group_members_group_id_user_id_pk PRIMARY KEY (group_id, user_id);

ALTER TABLE ONLY public.groups
    ADD CONSTRAINT groups_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.import_runs
    ADD CONSTRAINT import_runs_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.instance_settings
    ADD CONSTRAINT instance_settings_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.interactions
    ADD CONSTRAINT interactions_pkey PRIMARY KEY (hash);

ALTER TABLE ONLY public.invitations
    ADD CONSTRAINT invitations_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.jobs
    ADD CONSTRAINT jobs_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.known_devices
    ADD CONSTRAINT known_devices_user_id_hash_pk PRIMARY KEY (user_id, hash);

ALTER TABLE ONLY public.logos
    ADD CONSTRAINT logos_pkey PRIMARY KEY (owner_id);

ALTER TABLE ONLY public.mails
    ADD CONSTRAINT mails_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.memberships
    ADD CONSTRAINT memberships_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.oauth_tokens
    ADD CONSTRAINT oauth_tokens_pkey PRIMARY KEY (hash);

ALTER TABLE ONLY public.oidc_claims
    ADD CONSTRAINT oidc_claims_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.oidc_regex_rules
    ADD CONSTRAINT oidc_regex_rules_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.oidc_scopes
    ADD CONSTRAINT oidc_scopes_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.oidc_token_policies
    ADD CONSTRAINT oidc_token_policies_pkey PRIMARY KEY (application_id);

ALTER TABLE ONLY public.one_time_tokens
    ADD CONSTRAINT one_time_tokens_pkey PRIMARY KEY (hash);

ALTER TABLE ONLY public.organizations
    ADD CONSTRAINT organizations_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.passkeys
    ADD CONSTRAINT passkeys_pkey PRIMARY KEY (factor_id);

ALTER TABLE ONLY public.password_policies
    ADD CONSTRAINT password_policies_pkey PRIMARY KEY (organization_id);

ALTER TABLE ONLY public.passwords
    ADD CONSTRAINT passwords_pkey PRIMARY KEY (user_id);

ALTER TABLE ONLY public.pending_logouts
    ADD CONSTRAINT pending_logouts_pkey PRIMARY KEY (hash);

ALTER TABLE ONLY public.policies
    ADD CONSTRAINT policies_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.pushed_requests
    ADD CONSTRAINT pushed_requests_pkey PRIMARY KEY (hash);

ALTER TABLE ONLY public.refresh_tokens
    ADD CONSTRAINT refresh_tokens_pkey PRIMARY KEY (hash);

ALTER TABLE ONLY public.released_slugs
    ADD CONSTRAINT released_slugs_pkey PRIMARY KEY (slug);

ALTER TABLE ONLY public.removed_members
    ADD CONSTRAINT removed_members_organization_id_email_pk PRIMARY KEY (organization_id, email);

ALTER TABLE ONLY public.revoked_access_tokens
    ADD CONSTRAINT revoked_access_tokens_pkey PRIMARY KEY (hash);

ALTER TABLE ONLY public.saml_further_names
    ADD CONSTRAINT saml_further_names_pk PRIMARY KEY (session_id, application_id, name_id_format, name_id);

ALTER TABLE ONLY public.saml_heard_logouts
    ADD CONSTRAINT saml_heard_logouts_application_id_hash_pk PRIMARY KEY (application_id, hash);

ALTER TABLE ONLY public.saml_keys
    ADD CONSTRAINT saml_keys_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.saml_logouts
    ADD CONSTRAINT saml_logouts_pkey PRIMARY KEY (hash);

ALTER TABLE ONLY public.saml_name_ids
    ADD CONSTRAINT saml_name_ids_application_id_user_id_pk PRIMARY KEY (application_id, user_id);

ALTER TABLE ONLY public.saml_requests
    ADD CONSTRAINT saml_requests_pkey PRIMARY KEY (hash);

ALTER TABLE ONLY public.saml_sessions
    ADD CONSTRAINT saml_sessions_session_id_application_id_pk PRIMARY KEY (session_id, application_id);

ALTER TABLE ONLY public.scim_groups
    ADD CONSTRAINT scim_groups_pkey PRIMARY KEY (group_id);

ALTER TABLE ONLY public.scim_requests
    ADD CONSTRAINT scim_requests_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.scim_tokens
    ADD CONSTRAINT scim_tokens_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.scim_users
    ADD CONSTRAINT scim_users_pkey PRIMARY KEY (membership_id);

ALTER TABLE ONLY public.server_keys
    ADD CONSTRAINT server_keys_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.sessions
    ADD CONSTRAINT sessions_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.sign_in_editors
    ADD CONSTRAINT sign_in_editors_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.sign_in_places
    ADD CONSTRAINT sign_in_places_user_id_network_pk PRIMARY KEY (user_id, network);

ALTER TABLE ONLY public.signing_key_sets
    ADD CONSTRAINT signing_key_sets_pkey PRIMARY KEY (organization_id);

ALTER TABLE ONLY public.signing_keys
    ADD CONSTRAINT signing_keys_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.sso_attempts
    ADD CONSTRAINT sso_attempts_pkey PRIMARY KEY (hash);

ALTER TABLE ONLY public.sso_providers
    ADD CONSTRAINT sso_providers_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.sso_seen_messages
    ADD CONSTRAINT sso_seen_messages_provider_id_hash_pk PRIMARY KEY (provider_id, hash);

ALTER TABLE ONLY public.sso_sessions
    ADD CONSTRAINT sso_sessions_pkey PRIMARY KEY (session_id);

ALTER TABLE ONLY public.sso_sign_ins
    ADD CONSTRAINT sso_sign_ins_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.team_domains
    ADD CONSTRAINT team_domains_organization_id_domain_pk PRIMARY KEY (organization_id, domain);

ALTER TABLE ONLY public.team_passwords
    ADD CONSTRAINT team_passwords_user_id_organization_id_pk PRIMARY KEY (user_id, organization_id);

ALTER TABLE ONLY public.team_seats
    ADD CONSTRAINT team_seats_pkey PRIMARY KEY (organization_id);

ALTER TABLE ONLY public.team_sign_ins
    ADD CONSTRAINT team_sign_ins_user_id_organization_id_network_device_pk PRIMARY KEY (user_id, organization_id, network, device);

ALTER TABLE ONLY public.temporary_setters
    ADD CONSTRAINT temporary_setters_organization_id_set_by_user_id_pk PRIMARY KEY (organization_id, set_by, user_id);

ALTER TABLE ONLY public.throttle_counters
    ADD CONSTRAINT throttle_counters_pkey PRIMARY KEY (key);

ALTER TABLE ONLY public.totp_secrets
    ADD CONSTRAINT totp_secrets_pkey PRIMARY KEY (factor_id);

ALTER TABLE ONLY public.used_proofs
    ADD CONSTRAINT used_proofs_pkey PRIMARY KEY (hash);

ALTER TABLE ONLY public.users
    ADD CONSTRAINT users_pkey PRIMARY KEY (id);

CREATE INDEX answered_challenges_expiry ON public.answered_challenges USING btree (expires_at);

CREATE INDEX api_tokens_created_by ON public.api_tokens USING btree (created_by);

CREATE UNIQUE INDEX api_tokens_hash ON public.api_tokens USING btree (hash);

CREATE INDEX api_tokens_newest ON public.api_tokens USING btree (organization_id, created_at, id);

CREATE INDEX application_groups_group ON public.application_groups USING btree (group_id);

CREATE INDEX application_users_user ON public.application_users USING btree (user_id, organization_id);

CREATE UNIQUE INDEX applications_client_id ON public.applications USING btree (client_id);

CREATE INDEX applications_organization ON public.applications USING btree (organization_id, created_at);

CREATE INDEX applications_registration_token_by ON public.applications USING btree (registration_token_by) WHERE (registration_token_by IS NOT NULL);

CREATE INDEX audit_checkpoint_heads_checkpoint ON public.audit_checkpoint_heads USING btree (checkpoint);

CREATE INDEX audit_entries_events_of_others ON public.audit_entries USING btree (resource, created_at, id) WHERE (action = ANY (ARRAY['member.role_changed'::text, 'user.activated'::text, 'user.email_changed'::text, 'user.factors_reset'::text, 'user.locked_down'::text, 'user.password_given'::text, 'user.sessions_ended'::text, 'user.suspended'::text, 'user.temporary_credentials_ended'::text]));

CREATE INDEX audit_entries_own_events ON public.audit_entries USING btree (user_id, created_at, id) WHERE (action = ANY (ARRAY['api_token.created'::text, 'api_token.revoked'::text, 'application.consent_withdrawn'::text, 'application.consented'::text, 'factor.backup_codes_renewed'::text, 'factor.clone_suspected'::text, 'factor.enrolled'::text, 'factor.removed'::text, 'session.ended'::text, 'session.others_ended'::text, 'session.refresh_reused'::text, 'user.adaptive_mfa_changed'::text, 'user.challenge_failed'::text, 'user.data_exported'::text, 'user.deletion_cancelled'::text, 'user.deletion_requested'::text, 'user.device_forgotten'::text, 'user.email_changed'::text, 'user.email_verified'::text, 'user.link_requested'::text, 'user.locked'::text, 'user.login'::text, 'user.logout'::text, 'user.mfa_disabled'::text, 'user.password_changed'::text, 'user.password_reset'::text, 'user.password_set'::text, 'user.reauthenticated'::text, 'user.reclaimed'::text]));

CREATE INDEX audit_entries_team ON public.audit_entries USING btree (team_id, created_at, id);

CREATE INDEX audit_entries_team_action ON public.audit_entries USING btree (team_id, action, created_at);

CREATE INDEX audit_entries_team_user ON public.audit_entries USING btree (team_id, user_id, created_at);

CREATE INDEX audit_pending_chain ON public.audit_pending USING btree (chain, entry_id);

CREATE INDEX blocked_teams_organization ON public.blocked_teams USING btree (organization_id);

CREATE INDEX consents_application ON public.consents USING btree (application_id);

CREATE INDEX device_codes_application ON public.device_codes USING btree (application_id);

CREATE INDEX device_codes_expiry ON public.device_codes USING btree (expires_at);

CREATE INDEX device_codes_grant ON public.device_codes USING btree (grant_id);

CREATE UNIQUE INDEX device_codes_user_code ON public.device_codes USING btree (user_code_hash);

CREATE INDEX directories_due ON public.directories USING btree (next_sync_at) WHERE (next_sync_at IS NOT NULL);

CREATE UNIQUE INDEX directories_organization ON public.directories USING btree (organization_id);

CREATE INDEX directories_saved_by ON public.directories USING btree (saved_by);

CREATE INDEX directory_entries_dn ON public.directory_entries USING btree (directory_id, dn_hash);

CREATE INDEX directory_entries_group ON public.directory_entries USING btree (group_id);

CREATE UNIQUE INDEX directory_entries_key ON public.directory_entries USING btree (directory_id, kind, key);

CREATE INDEX directory_entries_uid ON public.directory_entries USING btree (directory_id, uid_hash) WHERE (uid_hash IS NOT NULL);

CREATE INDEX directory_entries_user ON public.directory_entries USING btree (user_id, organization_id);

CREATE INDEX directory_members_member ON public.directory_members USING btree (directory_id, member);

CREATE INDEX directory_runs_directory ON public.directory_runs USING btree (directory_id);

CREATE INDEX directory_runs_finished ON public.directory_runs USING btree (finished_at);

CREATE INDEX directory_runs_newest ON public.directory_runs USING btree (organization_id, created_at, id);

CREATE UNIQUE INDEX directory_runs_running ON public.directory_runs USING btree (directory_id) WHERE (status = 'running'::text);

CREATE INDEX directory_runs_started_by ON public.directory_runs USING btree (started_by);

CREATE INDEX external_identities_user ON public.external_identities USING btree (user_id);

CREATE UNIQUE INDEX factors_backup_codes ON public.factors USING btree (user_id, COALESCE(restricted_to_team_id, '00000000-0000-0000-0000-000000000000'::uuid)) WHERE (type = 'BACKUP_CODE'::text);

CREATE INDEX factors_restricted ON public.factors USING btree (restricted_to_team_id) WHERE (restricted_to_team_id IS NOT NULL);

CREATE INDEX factors_user ON public.factors USING btree (user_id, created_at);

CREATE INDEX factors_waiting ON public.factors USING btree (created_at) WHERE (verified_at IS NULL);

CREATE INDEX form_responses_application ON public.form_responses USING btree (application_id);

CREATE INDEX form_responses_expiry ON public.form_responses USING btree (expires_at);

CREATE INDEX group_members_user ON public.group_members USING btree (user_id, organization_id);

CREATE INDEX groups_folded_name ON public.groups USING btree (organization_id, lower(name) COLLATE "C");

CREATE INDEX groups_newest ON public.groups USING btree (organization_id, created_at, id);

CREATE UNIQUE INDEX groups_organization_name ON public.groups USING btree (organization_id, name);

CREATE INDEX import_runs_newest ON public.import_runs USING btree (organization_id, created_at, id);

CREATE INDEX import_runs_started_by ON public.import_runs USING btree (started_by);

CREATE INDEX interactions_application ON public.interactions USING btree (application_id);

CREATE INDEX interactions_expiry ON public.interactions USING btree (expires_at);

CREATE INDEX invitations_accepted_by ON public.invitations USING btree (accepted_by);

CREATE INDEX invitations_earlier_tokens ON public.invitations USING gin (earlier_token_hashes);

CREATE INDEX invitations_invited_by ON public.invitations USING btree (invited_by);

CREATE INDEX invitations_newest ON public.invitations USING btree (organization_id, created_at, id);

CREATE UNIQUE INDEX invitations_pending ON public.invitations USING btree (organization_id, email) WHERE (status = 'PENDING'::text);

CREATE UNIQUE INDEX invitations_token ON public.invitations USING btree (token_hash);

CREATE INDEX jobs_due ON public.jobs USING btree (run_at) WHERE ((failed_at IS NULL) AND (team_id IS NULL));

CREATE INDEX jobs_of_teams ON public.jobs USING btree (kind, team_id, run_at) WHERE ((failed_at IS NULL) AND (team_id IS NOT NULL));

CREATE UNIQUE INDEX jobs_unique_name ON public.jobs USING btree (unique_name);

CREATE INDEX known_devices_seen ON public.known_devices USING btree (last_seen_at);

CREATE INDEX mails_caused ON public.mails USING btree (caused_by_user_id, created_at) WHERE (caused_by_user_id IS NOT NULL);

CREATE INDEX mails_created ON public.mails USING btree (created_at);

CREATE INDEX mails_recent ON public.mails USING btree (recipient, kind, created_at);

CREATE INDEX memberships_confirmed ON public.memberships USING btree (user_id) WHERE counts;

CREATE UNIQUE INDEX memberships_external_id ON public.memberships USING btree (organization_id, external_id) WHERE (external_id IS NOT NULL);

CREATE INDEX memberships_leave ON public.memberships USING btree (leave_at) WHERE (leave_at IS NOT NULL);

CREATE INDEX memberships_newest ON public.memberships USING btree (organization_id, created_at, id);

CREATE INDEX memberships_search_keys ON public.memberships USING gin (public.search_keys(organization_id, search)) WITH (fastupdate=off);

CREATE UNIQUE INDEX memberships_user_organization ON public.memberships USING btree (user_id, organization_id);

CREATE INDEX oauth_tokens_expiry ON public.oauth_tokens USING btree (expires_at);

CREATE INDEX oauth_tokens_grant ON public.oauth_tokens USING btree (grant_id);

CREATE INDEX oidc_claims_application ON public.oidc_claims USING btree (application_id);

CREATE INDEX oidc_claims_regex_rule ON public.oidc_claims USING btree (regex_rule_id);

CREATE INDEX oidc_regex_rules_application ON public.oidc_regex_rules USING btree (application_id);

CREATE UNIQUE INDEX oidc_scopes_name ON public.oidc_scopes USING btree (application_id, name);

CREATE INDEX one_time_tokens_expiry ON public.one_time_tokens USING btree (expires_at);

CREATE INDEX one_time_tokens_organization ON public.one_time_tokens USING btree (organization_id);

CREATE INDEX one_time_tokens_restricted ON public.one_time_tokens USING btree (restricted_to_team_id) WHERE (restricted_to_team_id IS NOT NULL);

CREATE INDEX one_time_tokens_user ON public.one_time_tokens USING btree (user_id, kind);

CREATE INDEX organizations_allowed_domains ON public.organizations USING gin (allowed_domains);

CREATE UNIQUE INDEX organizations_slug ON public.organizations USING btree (slug);

CREATE UNIQUE INDEX passkeys_credential ON public.passkeys USING btree (credential_id);

CREATE INDEX password_history_organization ON public.password_history USING btree (organization_id) WHERE (organization_id IS NOT NULL);

CREATE INDEX password_history_user ON public.password_history USING btree (user_id, organization_id, replaced_at);

CREATE INDEX pending_logouts_application ON public.pending_logouts USING btree (application_id);

CREATE INDEX pending_logouts_expiry ON public.pending_logouts USING btree (expires_at);

CREATE INDEX pending_logouts_session ON public.pending_logouts USING btree (session_id);

CREATE INDEX policies_at_sign_in ON public.policies USING btree (organization_id) WHERE ((type = ANY (ARRAY['SIGN_ON'::text, 'MFA'::text])) AND enabled);

CREATE INDEX policies_order ON public.policies USING btree (organization_id, priority, created_at);

CREATE INDEX pushed_requests_application ON public.pushed_requests USING btree (application_id);

CREATE INDEX pushed_requests_expiry ON public.pushed_requests USING btree (expires_at);

CREATE INDEX refresh_tokens_expiry ON public.refresh_tokens USING btree (expires_at);

CREATE INDEX refresh_tokens_session ON public.refresh_tokens USING btree (session_id);

CREATE INDEX released_slugs_released ON public.released_slugs USING btree (released_at);

CREATE INDEX removed_members_user ON public.removed_members USING btree (organization_id, user_id);

CREATE INDEX revoked_access_tokens_expiry ON public.revoked_access_tokens USING btree (expires_at);

CREATE INDEX saml_further_names_name ON public.saml_further_names USING btree (application_id, name_id);

CREATE INDEX saml_heard_logouts_expiry ON public.saml_heard_logouts USING btree (expires_at);

CREATE INDEX saml_keys_application ON public.saml_keys USING btree (application_id);

CREATE UNIQUE INDEX saml_keys_application_state ON public.saml_keys USING btree (application_id, state) WHERE (state <> 'retired'::text);

CREATE INDEX saml_keys_end ON public.saml_keys USING btree (ends_at);

CREATE INDEX saml_keys_organization ON public.saml_keys USING btree (organization_id);

CREATE UNIQUE INDEX saml_keys_team_state ON public.saml_keys USING btree (organization_id, state) WHERE ((application_id IS NULL) AND (state <> 'retired'::text));

CREATE INDEX saml_logouts_application ON public.saml_logouts USING btree (application_id);

CREATE INDEX saml_logouts_expiry ON public.saml_logouts USING btree (expires_at);

CREATE INDEX saml_name_ids_user ON public.saml_name_ids USING btree (user_id);

CREATE INDEX saml_requests_application ON public.saml_requests USING btree (application_id);

CREATE INDEX saml_requests_expiry ON public.saml_requests USING btree (expires_at);

CREATE INDEX saml_sessions_name ON public.saml_sessions USING btree (application_id, name_id);

CREATE INDEX scim_groups_external_id ON public.scim_groups USING btree (organization_id, external_id);

CREATE INDEX scim_requests_newest ON public.scim_requests USING btree (organization_id, id);

CREATE INDEX scim_requests_token ON public.scim_requests USING btree (token_id);

CREATE INDEX scim_tokens_created_by ON public.scim_tokens USING btree (created_by);

CREATE UNIQUE INDEX scim_tokens_hash ON public.scim_tokens USING btree (hash);

CREATE INDEX scim_tokens_newest ON public.scim_tokens USING btree (organization_id, created_at, id);

CREATE INDEX scim_users_display_name ON public.scim_users USING btree (organization_id, "left"(lower((data ->> 'displayName'::text)), 200) COLLATE "C") WHERE (data ? 'displayName'::text);

CREATE INDEX scim_users_emails ON public.scim_users USING gin (((lower((data ->> 'emails'::text)))::jsonb) jsonb_path_ops) WITH (fastupdate=off) WHERE (data ? 'emails'::text);

CREATE UNIQUE INDEX scim_users_user_name ON public.scim_users USING btree (organization_id, user_name_key) WHERE (user_name_key IS NOT NULL);

CREATE INDEX sessions_application ON public.sessions USING btree (application_id) WHERE (application_id IS NOT NULL);

CREATE INDEX sessions_confined ON public.sessions USING btree (confined_team_id);

CREATE INDEX sessions_ended ON public.sessions USING btree (ended_at);

CREATE INDEX sessions_expiry ON public.sessions USING btree (expires_at);

CREATE INDEX sessions_organization ON public.sessions USING btree (organization_id);

CREATE INDEX sessions_parent ON public.sessions USING btree (parent_id) WHERE (parent_id IS NOT NULL);

CREATE UNIQUE INDEX sessions_sso_hash ON public.sessions USING btree (sso_hash);

CREATE INDEX sessions_user ON public.sessions USING btree (user_id);

CREATE INDEX sign_in_editors_organization ON public.sign_in_editors USING btree (organization_id);

CREATE UNIQUE INDEX sign_in_editors_source ON public.sign_in_editors USING btree (source_id, saved_by, saved_epoch, saved_permissions);

CREATE INDEX sign_in_places_seen ON public.sign_in_places USING btree (last_seen_at);

CREATE UNIQUE INDEX signing_keys_application_access ON public.signing_keys USING btree (application_id) WHERE use_for_access_tokens;

CREATE UNIQUE INDEX signing_keys_application_default ON public.signing_keys USING btree (application_id) WHERE is_default;

CREATE UNIQUE INDEX signing_keys_application_kid ON public.signing_keys USING btree (application_id, kid);

CREATE UNIQUE INDEX signing_keys_team_default ON public.signing_keys USING btree (organization_id) WHERE ((application_id IS NULL) AND is_default);

CREATE UNIQUE INDEX signing_keys_team_kid ON public.signing_keys USING btree (organization_id, kid) WHERE (application_id IS NULL);

CREATE INDEX sso_attempts_expiry ON public.sso_attempts USING btree (expires_at);

CREATE INDEX sso_attempts_provider ON public.sso_attempts USING btree (provider_id);

CREATE INDEX sso_providers_domains ON public.sso_providers USING gin (allowed_domains);

CREATE INDEX sso_providers_metadata_due ON public.sso_providers USING btree (saml_metadata_due_at) WHERE (saml_metadata_url IS NOT NULL);

CREATE INDEX sso_providers_newest ON public.sso_providers USING btree (organization_id, created_at, id);

CREATE INDEX sso_providers_saved_by ON public.sso_providers USING btree (saved_by);

CREATE INDEX sso_seen_messages_expiry ON public.sso_seen_messages USING btree (expires_at);

CREATE INDEX sso_sessions_subject ON public.sso_sessions USING btree (provider_id, subject);

CREATE INDEX sso_sign_ins_age ON public.sso_sign_ins USING btree (created_at);

CREATE INDEX sso_sign_ins_newest ON public.sso_sign_ins USING btree (provider_id, created_at, id);

CREATE INDEX sso_sign_ins_organization ON public.sso_sign_ins USING btree (organization_id);

CREATE INDEX sso_sign_ins_user ON public.sso_sign_ins USING btree (user_id);

CREATE INDEX team_domains_due ON public.team_domains USING btree (due_at) WHERE (verified_at IS NOT NULL);

CREATE UNIQUE INDEX team_domains_proven ON public.team_domains USING btree (domain) WHERE (verified_at IS NOT NULL);

CREATE INDEX team_passwords_organization ON public.team_passwords USING btree (organization_id);

CREATE INDEX team_sign_ins_organization ON public.team_sign_ins USING btree (organization_id);

CREATE INDEX team_sign_ins_seen ON public.team_sign_ins USING btree (last_seen_at);

CREATE INDEX temporary_setters_member ON public.temporary_setters USING btree (user_id, organization_id);

CREATE INDEX throttle_counters_over ON public.throttle_counters USING btree (window_ends_at);

CREATE INDEX used_proofs_expiry ON public.used_proofs USING btree (expires_at);

CREATE INDEX users_created ON public.users USING btree (created_at);

CREATE INDEX users_deletion_scheduled ON public.users USING btree (deletion_scheduled_at) WHERE (deletion_scheduled_at IS NOT NULL);

CREATE UNIQUE INDEX users_email ON public.users USING btree (email);

CREATE TRIGGER audit_checkpoint_heads_no_change BEFORE DELETE OR UPDATE OR TRUNCATE ON public.audit_checkpoint_heads FOR EACH STATEMENT EXECUTE FUNCTION public.audit_refuse_change();

CREATE TRIGGER audit_checkpoints_no_change BEFORE DELETE OR UPDATE OR TRUNCATE ON public.audit_checkpoints FOR EACH STATEMENT EXECUTE FUNCTION public.audit_refuse_change();

CREATE TRIGGER audit_daily_no_change BEFORE INSERT OR UPDATE OR TRUNCATE ON public.audit_daily FOR EACH STATEMENT EXECUTE FUNCTION public.audit_refuse_count_change();

CREATE TRIGGER audit_daily_no_delete AFTER DELETE ON public.audit_daily REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION public.audit_refuse_delete();

CREATE TRIGGER audit_entries_no_delete AFTER DELETE ON public.audit_entries REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION public.audit_refuse_delete();

CREATE TRIGGER audit_entries_no_update BEFORE UPDATE OR TRUNCATE ON public.audit_entries FOR EACH STATEMENT EXECUTE FUNCTION public.audit_refuse_change();

CREATE TRIGGER audit_removals_no_change BEFORE DELETE OR UPDATE OR TRUNCATE ON public.audit_removals FOR EACH STATEMENT EXECUTE FUNCTION public.audit_refuse_change();

CREATE TRIGGER audit_seals_count AFTER INSERT ON public.audit_seals FOR EACH ROW EXECUTE FUNCTION public.audit_count_sealed();

CREATE TRIGGER audit_seals_no_delete AFTER DELETE ON public.audit_seals REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION public.audit_refuse_delete();

CREATE TRIGGER audit_seals_no_update BEFORE UPDATE OR TRUNCATE ON public.audit_seals FOR EACH STATEMENT EXECUTE FUNCTION public.audit_refuse_change();

CREATE TRIGGER memberships_forget_identities AFTER DELETE ON public.memberships REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION public.forget_external_identities();

CREATE TRIGGER memberships_search BEFORE INSERT OR UPDATE OF user_id, first_name, last_name ON public.memberships FOR EACH ROW EXECUTE FUNCTION public.memberships_write_search();

CREATE TRIGGER memberships_search_counts BEFORE UPDATE OF counts, status ON public.memberships FOR EACH ROW WHEN (((old.counts IS DISTINCT FROM new.counts) OR ((old.status = 'suspended'::text) IS DISTINCT FROM (new.status = 'suspended'::text)))) EXECUTE FUNCTION public.memberships_write_search();

CREATE TRIGGER memberships_seats_left AFTER DELETE ON public.memberships REFERENCING OLD TABLE AS moved FOR EACH STATEMENT EXECUTE FUNCTION public.memberships_count_seats();

CREATE TRIGGER memberships_seats_taken AFTER INSERT ON public.memberships REFERENCING NEW TABLE AS moved FOR EACH STATEMENT EXECUTE FUNCTION public.memberships_count_seats();

CREATE TRIGGER users_search AFTER UPDATE OF email, first_name, last_name ON public.users FOR EACH ROW WHEN ((((old.email IS DISTINCT FROM new.email) OR (old.first_name IS DISTINCT FROM new.first_name)) OR (old.last_name IS DISTINCT FROM new.last_name))) EXECUTE FUNCTION public.users_write_search();

ALTER TABLE ONLY public.adaptive_users
    ADD CONSTRAINT adaptive_users_user_id_users_id_fk FOREIGN KEY (user_id) REFERENCES public.users(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.api_tokens
    ADD CONSTRAINT api_tokens_created_by_users_id_fk FOREIGN KEY (created_by) REFERENCES public.users(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.api_tokens
    ADD CONSTRAINT api_tokens_organization_id_organizations_id_fk FOREIGN KEY (organization_id) REFERENCES public.organizations(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.application_groups
    ADD CONSTRAINT application_groups_application_id_applications_id_fk FOREIGN KEY (application_id) REFERENCES public.applications(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.application_groups
    ADD CONSTRAINT application_groups_group_id_groups_id_fk FOREIGN KEY (group_id) REFERENCES public.groups(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.application_users
    ADD CONSTRAINT application_users_application_id_applications_id_fk FOREIGN KEY (application_id) REFERENCES public.applications(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.application_users
    ADD CONSTRAINT application_users_membership FOREIGN KEY (user_id, organization_id) REFERENCES public.memberships(user_id, organization_id) ON DELETE CASCADE;

ALTER TABLE ONLY public.applications
    ADD CONSTRAINT applications_organization_id_organizations_id_fk FOREIGN KEY (organization_id) REFERENCES public.organizations(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.backup_codes
    ADD CONSTRAINT backup_codes_factor_id_factors_id_fk FOREIGN KEY (factor_id) REFERENCES public.factors(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.blocked_teams
    ADD CONSTRAINT blocked_teams_organization_id_organizations_id_fk FOREIGN KEY (organization_id) REFERENCES public.organizations(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.blocked_teams
    ADD CONSTRAINT blocked_teams_user_id_users_id_fk FOREIGN KEY (user_id) REFERENCES public.users(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.consents
    ADD CONSTRAINT consents_application_id_applications_id_fk FOREIGN KEY (application_id) REFERENCES public.applications(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.consents
    ADD CONSTRAINT consents_user_id_users_id_fk FOREIGN KEY (user_id) REFERENCES public.users(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.device_codes
    ADD CONSTRAINT device_codes_application_id_applications_id_fk FOREIGN KEY (application_id) REFERENCES public.applications(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.device_codes
    ADD CONSTRAINT device_codes_grant_id_sessions_id_fk FOREIGN KEY (grant_id) REFERENCES public.sessions(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.directories
    ADD CONSTRAINT directories_organization_id_organizations_id_fk FOREIGN KEY (organization_id) REFERENCES public.organizations(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.directories
    ADD CONSTRAINT directories_saved_by_users_id_fk FOREIGN KEY (saved_by) REFERENCES public.users(id) ON DELETE SET NULL;

ALTER TABLE ONLY public.directory_entries
    ADD CONSTRAINT directory_entries_directory_id_directories_id_fk FOREIGN KEY (directory_id) REFERENCES public.directories(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.directory_entries
    ADD CONSTRAINT directory_entries_group_id_groups_id_fk FOREIGN KEY (group_id) REFERENCES public.groups(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.directory_entries
    ADD CONSTRAINT directory_entries_membership FOREIGN KEY (user_id, organization_id) REFERENCES public.memberships(user_id, organization_id) ON DELETE CASCADE;

ALTER TABLE ONLY public.directory_members
    ADD CONSTRAINT directory_members_directory_id_directories_id_fk FOREIGN KEY (directory_id) REFERENCES public.directories(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.directory_members
    ADD CONSTRAINT directory_members_group FOREIGN KEY (directory_id, group_no) REFERENCES public.directory_entries(directory_id, no) ON DELETE CASCADE;

ALTER TABLE ONLY public.directory_runs
    ADD CONSTRAINT directory_runs_directory_id_directories_id_fk FOREIGN KEY (directory_id) REFERENCES public.directories(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.directory_runs
    ADD CONSTRAINT directory_runs_organization_id_organizations_id_fk FOREIGN KEY (organization_id) REFERENCES public.organizations(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.directory_runs
    ADD CONSTRAINT directory_runs_started_by_users_id_fk FOREIGN KEY (started_by) REFERENCES public.users(id) ON DELETE SET NULL;

ALTER TABLE ONLY public.external_identities
    ADD CONSTRAINT external_identities_provider_id_sso_providers_id_fk FOREIGN KEY (provider_id) REFERENCES public.sso_providers(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.external_identities
    ADD CONSTRAINT external_identities_user_id_users_id_fk FOREIGN KEY (user_id) REFERENCES public.users(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.factors
    ADD CONSTRAINT factors_restricted_to_team_id_organizations_id_fk FOREIGN KEY (restricted_to_team_id) REFERENCES public.organizations(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.factors
    ADD CONSTRAINT factors_user_id_users_id_fk FOREIGN KEY (user_id) REFERENCES public.users(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.form_responses
    ADD CONSTRAINT form_responses_application_id_applications_id_fk FOREIGN KEY (application_id) REFERENCES public.applications(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.group_members
    ADD CONSTRAINT group_members_group_id_groups_id_fk FOREIGN KEY (group_id) REFERENCES public.groups(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.group_members
    ADD CONSTRAINT group_members_membership FOREIGN KEY (user_id, organization_id) REFERENCES public.memberships(user_id, organization_id) ON DELETE CASCADE;

ALTER TABLE ONLY public.groups
    ADD CONSTRAINT groups_organization_id_organizations_id_fk FOREIGN KEY (organization_id) REFERENCES public.organizations(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.import_runs
    ADD CONSTRAINT import_runs_organization_id_organizations_id_fk FOREIGN KEY (organization_id) REFERENCES public.organizations(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.import_runs
    ADD CONSTRAINT import_runs_started_by_users_id_fk FOREIGN KEY (started_by) REFERENCES public.users(id) ON DELETE SET NULL;

ALTER TABLE ONLY public.interactions
    ADD CONSTRAINT interactions_application_id_applications_id_fk FOREIGN KEY (application_id) REFERENCES public.applications(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.invitations
    ADD CONSTRAINT invitations_accepted_by_users_id_fk FOREIGN KEY (accepted_by) REFERENCES public.users(id) ON DELETE SET NULL;

ALTER TABLE ONLY public.invitations
    ADD CONSTRAINT invitations_invited_by_users_id_fk FOREIGN KEY (invited_by) REFERENCES public.users(id) ON DELETE SET NULL;

ALTER TABLE ONLY public.invitations
    ADD CONSTRAINT invitations_organization_id_organizations_id_fk FOREIGN KEY (organization_id) REFERENCES public.organizations(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.known_devices
    ADD CONSTRAINT known_devices_user_id_users_id_fk FOREIGN KEY (user_id) REFERENCES public.users(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.memberships
    ADD CONSTRAINT memberships_organization_id_organizations_id_fk FOREIGN KEY (organization_id) REFERENCES public.organizations(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.memberships
    ADD CONSTRAINT memberships_user_id_users_id_fk FOREIGN KEY (user_id) REFERENCES public.users(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.oauth_tokens
    ADD CONSTRAINT oauth_tokens_grant_id_sessions_id_fk FOREIGN KEY (grant_id) REFERENCES public.sessions(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.oidc_claims
    ADD CONSTRAINT oidc_claims_application_id_applications_id_fk FOREIGN KEY (application_id) REFERENCES public.applications(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.oidc_claims
    ADD CONSTRAINT oidc_claims_regex_rule_id_oidc_regex_rules_id_fk FOREIGN KEY (regex_rule_id) REFERENCES public.oidc_regex_rules(id);

ALTER TABLE ONLY public.oidc_regex_rules
    ADD CONSTRAINT oidc_regex_rules_application_id_applications_id_fk FOREIGN KEY (application_id) REFERENCES public.applications(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.oidc_scopes
    ADD CONSTRAINT oidc_scopes_application_id_applications_id_fk FOREIGN KEY (application_id) REFERENCES public.applications(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.oidc_token_policies
    ADD CONSTRAINT oidc_token_policies_application_id_applications_id_fk FOREIGN KEY (application_id) REFERENCES public.applications(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.one_time_tokens
    ADD CONSTRAINT one_time_tokens_organization_id_organizations_id_fk FOREIGN KEY (organization_id) REFERENCES public.organizations(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.one_time_tokens
    ADD CONSTRAINT one_time_tokens_restricted_to_team_id_organizations_id_fk FOREIGN KEY (restricted_to_team_id) REFERENCES public.organizations(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.one_time_tokens
    ADD CONSTRAINT one_time_tokens_user_id_users_id_fk FOREIGN KEY (user_id) REFERENCES public.users(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.passkeys
    ADD CONSTRAINT passkeys_factor_id_factors_id_fk FOREIGN KEY (factor_id) REFERENCES public.factors(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.password_history
    ADD CONSTRAINT password_history_organization_id_organizations_id_fk FOREIGN KEY (organization_id) REFERENCES public.organizations(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.password_history
    ADD CONSTRAINT password_history_user_id_users_id_fk FOREIGN KEY (user_id) REFERENCES public.users(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.password_policies
    ADD CONSTRAINT password_policies_organization_id_organizations_id_fk FOREIGN KEY (organization_id) REFERENCES public.organizations(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.passwords
    ADD CONSTRAINT passwords_user_id_users_id_fk FOREIGN KEY (user_id) REFERENCES public.users(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.pending_logouts
    ADD CONSTRAINT pending_logouts_application_id_applications_id_fk FOREIGN KEY (application_id) REFERENCES public.applications(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.pending_logouts
    ADD CONSTRAINT pending_logouts_session_id_sessions_id_fk FOREIGN KEY (session_id) REFERENCES public.sessions(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.policies
    ADD CONSTRAINT policies_organization_id_organizations_id_fk FOREIGN KEY (organization_id) REFERENCES public.organizations(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.pushed_requests
    ADD CONSTRAINT pushed_requests_application_id_applications_id_fk FOREIGN KEY (application_id) REFERENCES public.applications(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.refresh_tokens
    ADD CONSTRAINT refresh_tokens_session_id_sessions_id_fk FOREIGN KEY (session_id) REFERENCES public.sessions(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.removed_members
    ADD CONSTRAINT removed_members_organization_id_organizations_id_fk FOREIGN KEY (organization_id) REFERENCES public.organizations(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.saml_further_names
    ADD CONSTRAINT saml_further_names_session FOREIGN KEY (session_id, application_id) REFERENCES public.saml_sessions(session_id, application_id) ON DELETE CASCADE;

ALTER TABLE ONLY public.saml_heard_logouts
    ADD CONSTRAINT saml_heard_logouts_application_id_applications_id_fk FOREIGN KEY (application_id) REFERENCES public.applications(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.saml_keys
    ADD CONSTRAINT saml_keys_application_id_applications_id_fk FOREIGN KEY (application_id) REFERENCES public.applications(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.saml_keys
    ADD CONSTRAINT saml_keys_organization_id_organizations_id_fk FOREIGN KEY (organization_id) REFERENCES public.organizations(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.saml_logouts
    ADD CONSTRAINT saml_logouts_application_id_applications_id_fk FOREIGN KEY (application_id) REFERENCES public.applications(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.saml_name_ids
    ADD CONSTRAINT saml_name_ids_application_id_applications_id_fk FOREIGN KEY (application_id) REFERENCES public.applications(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.saml_name_ids
    ADD CONSTRAINT saml_name_ids_user_id_users_id_fk FOREIGN KEY (user_id) REFERENCES public.users(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.saml_requests
    ADD CONSTRAINT saml_requests_application_id_applications_id_fk FOREIGN KEY (application_id) REFERENCES public.applications(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.saml_sessions
    ADD CONSTRAINT saml_sessions_application_id_applications_id_fk FOREIGN KEY (application_id) REFERENCES public.applications(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.saml_sessions
    ADD CONSTRAINT saml_sessions_session_id_sessions_id_fk FOREIGN KEY (session_id) REFERENCES public.sessions(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.scim_groups
    ADD CONSTRAINT scim_groups_group_id_groups_id_fk FOREIGN KEY (group_id) REFERENCES public.groups(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.scim_groups
    ADD CONSTRAINT scim_groups_organization_id_organizations_id_fk FOREIGN KEY (organization_id) REFERENCES public.organizations(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.scim_requests
    ADD CONSTRAINT scim_requests_organization_id_organizations_id_fk FOREIGN KEY (organization_id) REFERENCES public.organizations(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.scim_requests
    ADD CONSTRAINT scim_requests_token_id_scim_tokens_id_fk FOREIGN KEY (token_id) REFERENCES public.scim_tokens(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.scim_tokens
    ADD CONSTRAINT scim_tokens_created_by_users_id_fk FOREIGN KEY (created_by) REFERENCES public.users(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.scim_tokens
    ADD CONSTRAINT scim_tokens_organization_id_organizations_id_fk FOREIGN KEY (organization_id) REFERENCES public.organizations(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.scim_users
    ADD CONSTRAINT scim_users_membership_id_memberships_id_fk FOREIGN KEY (membership_id) REFERENCES public.memberships(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.scim_users
    ADD CONSTRAINT scim_users_organization_id_organizations_id_fk FOREIGN KEY (organization_id) REFERENCES public.organizations(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.sessions
    ADD CONSTRAINT sessions_application_id_applications_id_fk FOREIGN KEY (application_id) REFERENCES public.applications(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.sessions
    ADD CONSTRAINT sessions_confined_team_id_organizations_id_fk FOREIGN KEY (confined_team_id) REFERENCES public.organizations(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.sessions
    ADD CONSTRAINT sessions_organization_id_organizations_id_fk FOREIGN KEY (organization_id) REFERENCES public.organizations(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.sessions
    ADD CONSTRAINT sessions_parent_id_sessions_id_fk FOREIGN KEY (parent_id) REFERENCES public.sessions(id) ON DELETE SET NULL;

ALTER TABLE ONLY public.sessions
    ADD CONSTRAINT sessions_user_id_users_id_fk FOREIGN KEY (user_id) REFERENCES public.users(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.sign_in_editors
    ADD CONSTRAINT sign_in_editors_organization_id_organizations_id_fk FOREIGN KEY (organization_id) REFERENCES public.organizations(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.sign_in_places
    ADD CONSTRAINT sign_in_places_user_id_users_id_fk FOREIGN KEY (user_id) REFERENCES public.users(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.signing_key_sets
    ADD CONSTRAINT signing_key_sets_organization_id_organizations_id_fk FOREIGN KEY (organization_id) REFERENCES public.organizations(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.signing_keys
    ADD CONSTRAINT signing_keys_application_id_applications_id_fk FOREIGN KEY (application_id) REFERENCES public.applications(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.signing_keys
    ADD CONSTRAINT signing_keys_organization_id_organizations_id_fk FOREIGN KEY (organization_id) REFERENCES public.organizations(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.sso_attempts
    ADD CONSTRAINT sso_attempts_provider_id_sso_providers_id_fk FOREIGN KEY (provider_id) REFERENCES public.sso_providers(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.sso_providers
    ADD CONSTRAINT sso_providers_organization_id_organizations_id_fk FOREIGN KEY (organization_id) REFERENCES public.organizations(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.sso_providers
    ADD CONSTRAINT sso_providers_saved_by_users_id_fk FOREIGN KEY (saved_by) REFERENCES public.users(id) ON DELETE SET NULL;

ALTER TABLE ONLY public.sso_seen_messages
    ADD CONSTRAINT sso_seen_messages_provider_id_sso_providers_id_fk FOREIGN KEY (provider_id) REFERENCES public.sso_providers(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.sso_sessions
    ADD CONSTRAINT sso_sessions_provider_id_sso_providers_id_fk FOREIGN KEY (provider_id) REFERENCES public.sso_providers(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.sso_sessions
    ADD CONSTRAINT sso_sessions_session_id_sessions_id_fk FOREIGN KEY (session_id) REFERENCES public.sessions(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.sso_sign_ins
    ADD CONSTRAINT sso_sign_ins_organization_id_organizations_id_fk FOREIGN KEY (organization_id) REFERENCES public.organizations(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.sso_sign_ins
    ADD CONSTRAINT sso_sign_ins_provider_id_sso_providers_id_fk FOREIGN KEY (provider_id) REFERENCES public.sso_providers(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.sso_sign_ins
    ADD CONSTRAINT sso_sign_ins_user_id_users_id_fk FOREIGN KEY (user_id) REFERENCES public.users(id) ON DELETE SET NULL;

ALTER TABLE ONLY public.team_domains
    ADD CONSTRAINT team_domains_organization_id_organizations_id_fk FOREIGN KEY (organization_id) REFERENCES public.organizations(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.team_passwords
    ADD CONSTRAINT team_passwords_membership FOREIGN KEY (user_id, organization_id) REFERENCES public.memberships(user_id, organization_id) ON DELETE CASCADE;

ALTER TABLE ONLY public.team_passwords
    ADD CONSTRAINT team_passwords_organization_id_organizations_id_fk FOREIGN KEY (organization_id) REFERENCES public.organizations(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.team_passwords
    ADD CONSTRAINT team_passwords_user_id_users_id_fk FOREIGN KEY (user_id) REFERENCES public.users(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.team_seats
    ADD CONSTRAINT team_seats_organization_id_organizations_id_fk FOREIGN KEY (organization_id) REFERENCES public.organizations(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.team_sign_ins
    ADD CONSTRAINT team_sign_ins_membership FOREIGN KEY (user_id, organization_id) REFERENCES public.memberships(user_id, organization_id) ON DELETE CASCADE;

ALTER TABLE ONLY public.team_sign_ins
    ADD CONSTRAINT team_sign_ins_organization_id_organizations_id_fk FOREIGN KEY (organization_id) REFERENCES public.organizations(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.team_sign_ins
    ADD CONSTRAINT team_sign_ins_user_id_users_id_fk FOREIGN KEY (user_id) REFERENCES public.users(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.temporary_setters
    ADD CONSTRAINT temporary_setters_membership FOREIGN KEY (user_id, organization_id) REFERENCES public.memberships(user_id, organization_id) ON DELETE CASCADE;

ALTER TABLE ONLY public.totp_secrets
    ADD CONSTRAINT totp_secrets_factor_id_factors_id_fk FOREIGN KEY (factor_id) REFERENCES public.factors(id) ON DELETE CASCADE;

