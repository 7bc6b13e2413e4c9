import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { expectError, registerUser, type TestUser } from '../../../test/factories/factories.js'
import { startService, type TestService } from '../../../test/harness/service.js'

describe('a transaction that PostgreSQL rolls back for concurrent ones', () => {
  let service: TestService
  let owner: TestUser
  beforeAll(async () => {
    service = await startService({ nodes: 1 })
    owner = await registerUser(service)
    await service.sql('CREATE SEQUENCE lost_attempts')
    await service.sql(
      `CREATE FUNCTION lose() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
         IF NEW.name LIKE 'Lost %' AND nextval('lost_attempts') <= split_part(NEW.name, ' ', 2)::int THEN
           RAISE EXCEPTION 'lost' USING ERRCODE = split_part(NEW.name, ' ', 3);
         END IF; RETURN NEW; END $$`,
    )
    await service.sql('CREATE TRIGGER lose BEFORE INSERT ON groups FOR EACH ROW EXECUTE FUNCTION lose()')
  })
  afterAll(() => service.close())

  const create = async (name: string) => {
    await service.sql("SELECT setval('lost_attempts', 1, false)")
    return service.api('POST', '/api/v1/groups', { token: owner.token, body: { name } })
  }

  it.each(['40P01', '40001'])(
    'fails with 503, without a change, after three attempts that end with %s',
    async (code) => {
      expect((await create(`Lost 2 ${code}`)).status).toBe(201)
      const answer = await create(`Lost 9 ${code}`)
      expectError(answer, 503, 'unavailable')
      expect(answer.headers.get('retry-after')).toBe('2')
      expect(await service.sql('SELECT 1 FROM groups WHERE name = $1', [`Lost 9 ${code}`])).toEqual([])
    },
  )
})
