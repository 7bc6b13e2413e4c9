/**
 * What a team says of scopes of an application, as a SQL expression: `[{name, description}]` in the order of the names, null where
 * nothing is said.
 * @param application expression of the application's id
 * @param names expression of the scopes' names, `text[]`
 */
export const describedScopes = (application: string, names: string): string =>
  `(SELECT coalesce(jsonb_agg(jsonb_build_object('name', ns.name, 'description', ds.description) ORDER BY ns.place), '[]')
    FROM unnest(${names}) WITH ORDINALITY AS ns(name, place)
    LEFT JOIN oidc_scopes ds ON ds.application_id = ${application} AND ds.name = ns.name)`
