import { sql } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/node-postgres'
import { integer, pgTable } from 'drizzle-orm/pg-core'
import { expect, it } from 'vitest'
import { whole } from '#src/server/db/whole.ts'

const team = pgTable('team', { id: integer().notNull() })
const rendered = (column: ReturnType<typeof sql> | typeof team.id) =>
  drizzle
    .mock()
    .select({ n: sql`(select count(*) from person p where p.team_id = ${column})` })
    .from(team)
    .toSQL().sql

it('a whole column keeps its table within a subselect of what one table answers', () => {
  expect(rendered(whole(team.id))).toContain('p.team_id = "team"."id"')
  // This is what it is for: the plain column would be the subselect's own `id`.
  expect(rendered(team.id)).toContain('p.team_id = "id"')
})
