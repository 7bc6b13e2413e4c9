import { beforeAll } from 'vitest'
import { at, newPage } from './browser'
import { newAddress, signedIn, signInByApi } from './people'
import { joinByInvitation, type Program, registerProgram } from './programs'

const temporaryPassword = 'temporary horse battery'

/**
 * Creates a team before the tests of a file: its owner `admin`, the users Ann Ames and Bob Burr, and a member by invitation.
 * @returns their email addresses; `owner` acts as the owner by the API, `open` opens a page of the team
 */
export function useTeamOfPeople() {
  const [admin, member, ann, bob] = [newAddress('admin'), newAddress('member'), newAddress('ann'), newAddress('bob')]
  let program: Program
  const owner = () => program
  const create = (email: string, firstName: string, lastName: string) =>
    owner().post('/users', { email, firstName, lastName, onboardingMethod: 'password', temporaryPassword })

  beforeAll(async () => {
    program = await registerProgram(admin)
    await create(ann, 'Ann', 'Ames')
    await create(bob, 'Bob', 'Burr')
    await joinByInvitation(program, await registerProgram(member), member)
  })

  return {
    admin,
    member,
    ann,
    bob,
    owner,
    create,
    async open(path: string, email = admin) {
      const page = await newPage()
      await signInByApi(page, email, owner().teamId)
      await page.goto(at(`/t/${owner().slug}${path}`))
      await signedIn(page)
      return page
    },
  }
}
