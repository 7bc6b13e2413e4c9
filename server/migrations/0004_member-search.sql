-- The search for users: by parts of their names and of their address, as their team sees them. No extension, so that the embedded
-- database has it too.

-- Texts that somebody would take for the same: without marks (NFKD), lower case, some letters without their stroke. The letters are
-- written out because what `lower` does depends on how the database was made, and an index must not.
CREATE FUNCTION search_fold(written text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT replace(replace(replace(replace(replace(translate(lower(regexp_replace(normalize(written, NFKD), '[\u0300-\u036f]', '', 'g') COLLATE "C"),
    'ÆÐØÞĐĦŁŊŒŦƁƂƄƆƇƉƊƋƎƏƐƑƓƔƖƗƘƜƝƟƢƤƦƧƩƬƮƱƲƳƵƷƸƼǤǶǷȜȠȢȤȺȻȽȾɁɃɄɅɆɈɊɌɎͰͲͶͿΑΒΓΔΕΖΗΘΙΚΛΜΝΞΟΠΡΣΤΥΦΧΨΩϏϘϚϜϞϠϢϤϦϨϪϬϮϷϺϽϾϿЂЄЅІЈЉЊЋЏАБВГДЕЖЗИКЛМНОПРСТУФХЦЧШЩЪЫЬЭЮЯѠѢѤѦѨѪѬѮѰѲѴѸѺѼѾҀҊҌҎҐҒҔҖҘҚҜҞҠҢҤҦҨҪҬҮҰҲҴҶҸҺҼҾӀӃӅӇӉӋӍӔӘӠӨӶӺӼӾԀԂԄԆԈԊԌԎԐԒԔԖԘԚԜԞԠԢԤԦԨԪԬԮԱԲԳԴԵԶԷԸԹԺԻԼԽԾԿՀՁՂՃՄՅՆՇՈՉՊՋՌՍՎՏՐՑՒՓՔՕՖỺỼỾøłđħŧıς',
    'æðoþdhlŋœtɓƃƅɔƈɖɗƌǝəɛƒɠɣɩɨƙɯɲɵƣƥʀƨʃƭʈʊʋƴƶʒƹƽǥƕƿȝƞȣȥⱥȼƚⱦɂƀʉʌɇɉɋɍɏͱͳͷϳαβγδεζηθικλμνξοπρστυφχψωϗϙϛϝϟϡϣϥϧϩϫϭϯϸϻͻͼͽђєѕіјљњћџабвгдежзиклмнопрстуфхцчшщъыьэюяѡѣѥѧѩѫѭѯѱѳѵѹѻѽѿҁҋҍҏґғҕҗҙқҝҟҡңҥҧҩҫҭүұҳҵҷҹһҽҿӏӄӆӈӊӌӎӕәӡөӷӻӽӿԁԃԅԇԉԋԍԏԑԓԕԗԙԛԝԟԡԣԥԧԩԫԭԯաբգդեզէըթժիլխծկհձղճմյնշոչպջռսվտրցւփքօֆỻỽỿoldhtiσ'),
    'ẞ', 'ss'), 'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe'), 'þ', 'th')
$$;
--> statement-breakpoint
-- What a folded text is found by, in one team: every three letters in a row of a word, and the first one and two letters of every
-- word and every part of an address. Six characters of the team's id keep the teams of an instance apart; that two teams share them
-- costs a look at a row and nothing else.
CREATE FUNCTION search_keys(team uuid, folded text) RETURNS text[] LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT coalesce(array_agg(DISTINCT right(team::text, 6) || part), '{}') FROM (
    SELECT substr(word, place, 3) FROM unnest(string_to_array(folded, ' ')) word, generate_series(1, length(word) - 2) place
    UNION ALL
    SELECT '^' || left(word, size) FROM unnest(string_to_array(translate(folded, '.@_+-', '     '), ' ')) word, generate_series(1, 2) size
      WHERE length(word) >= size
  ) parts (part)
$$;
--> statement-breakpoint
-- A person's own names are found only where the membership counts: a team that merely added an address learns none of them.
-- Whoever writes a name, whichever door they come through: the search is right at the commit. The account is locked against a change
-- of its own names, which the other trigger could not yet see here.
CREATE FUNCTION memberships_write_search() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  person record;
BEGIN
  SELECT first_name, last_name, email INTO person FROM users WHERE id = NEW.user_id FOR SHARE;
  NEW.search := search_fold(concat_ws(' ', coalesce(NEW.first_name, CASE WHEN NEW.counts THEN person.first_name END),
    coalesce(NEW.last_name, CASE WHEN NEW.counts THEN person.last_name END), person.email));
  RETURN NEW;
END $$;
--> statement-breakpoint
CREATE TRIGGER memberships_search BEFORE INSERT OR UPDATE OF user_id, first_name, last_name ON memberships
  FOR EACH ROW EXECUTE FUNCTION memberships_write_search();
--> statement-breakpoint
-- Apart, because every sign-in names the column and hardly any changes it.
CREATE TRIGGER memberships_search_counts BEFORE UPDATE OF counts ON memberships FOR EACH ROW
  WHEN (OLD.counts IS DISTINCT FROM NEW.counts) EXECUTE FUNCTION memberships_write_search();
--> statement-breakpoint
CREATE FUNCTION users_write_search() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE memberships m SET search = search_fold(concat_ws(' ', coalesce(m.first_name, CASE WHEN m.counts THEN NEW.first_name END),
    coalesce(m.last_name, CASE WHEN m.counts THEN NEW.last_name END), NEW.email))
    WHERE m.user_id = NEW.id;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER users_search AFTER UPDATE OF email, first_name, last_name ON users FOR EACH ROW
  WHEN ((OLD.email, OLD.first_name, OLD.last_name) IS DISTINCT FROM (NEW.email, NEW.first_name, NEW.last_name))
  EXECUTE FUNCTION users_write_search();
--> statement-breakpoint
UPDATE memberships m SET search = search_fold(concat_ws(' ', coalesce(m.first_name, CASE WHEN m.counts THEN u.first_name END),
    coalesce(m.last_name, CASE WHEN m.counts THEN u.last_name END), u.email))
  FROM users u WHERE u.id = m.user_id;
--> statement-breakpoint
-- A sign-in notes when it was: with room beside the row it writes to no index.
ALTER TABLE memberships SET (fillfactor = 85);
--> statement-breakpoint
-- Written at once: a list of what waits would be read through by every search.
CREATE INDEX memberships_search_keys ON memberships USING gin (search_keys(organization_id, search)) WITH (fastupdate = off);
