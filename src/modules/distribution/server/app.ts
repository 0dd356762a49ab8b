import {
  openInvite,
  spendInvite,
  type Standing,
} from '#src/areas/distribution/inviteOpening.server.ts'
import { countHit } from '#src/areas/material/hits.server.ts'
import { say, type Lang } from '#src/domain/text.ts'
import { implement, type Handler } from '#src/server/call/implement.ts'
import { distributionApp as contract } from '../contract/app.ts'

const told = ({ state, why }: Standing, lang: Lang) => ({ state, why: why ? say(why, lang) : '' })
const handlers = {
  openInvite: async ({ code }, { tx, now, staff }) =>
    told(await openInvite(tx, { code, now }), staff.lang),
  useInvite: async (asked, { tx, now, staff }) =>
    told(await spendInvite(tx, { ...asked, now }), staff.lang),
  countMaterial: async (asked, { tx, now }) => ({ counted: await countHit(tx, { ...asked, now }) }),
} satisfies { [K in keyof typeof contract]: Handler<(typeof contract)[K]> }

export const distributionAppServer = implement(contract, handlers)
