import { desc, eq, sql, type SQL } from 'drizzle-orm'
import { beforeAll, describe, expect, it } from 'vitest'
import { audit_task } from '#src/areas/audit/audit.table.ts'
import type { Db } from '#src/server/call/implement.ts'
import type { Database } from '#src/server/db/database.ts'
import { pageOf } from '#src/server/db/paging.ts'
import { openCopy } from '../farm.ts'

let database: Database
beforeAll(async () => {
  database = await openCopy()
})

describe('the rows of a page', () => {
  const page = (db: Db, where: SQL | undefined, down: boolean) =>
    pageOf(db, audit_task, {
      by: audit_task.sla_at,
      down,
      where,
      page: 1,
      pageSize: 5,
      reader: `rows of ${String(down)}`,
    })
  it('are read by one plan, whatever the list is asked for', async () => {
    const plans = await database.transaction(async tx => {
      await page(tx, undefined, false)
      await page(tx, eq(audit_task.is_open, true), true)
      await page(tx, eq(audit_task.queue, 'bulks'), false)
      const { rows } = await tx.execute<{ statement: string }>(
        sql`select statement from pg_prepared_statements where statement like '%planned' || ' once%' and statement like '%from "audit_task"%'`,
      )
      return rows
    })
    expect(plans).toHaveLength(1)
  })
  it('stand in the order of the list, and begin the next page where they end', async () => {
    const all = await database.db
      .select({ id: audit_task.id })
      .from(audit_task)
      .orderBy(desc(audit_task.sla_at), desc(audit_task.id))
      .limit(10)
    const read = async (at: number) => {
      const rows = await pageOf(database.db, audit_task, {
        by: audit_task.sla_at,
        down: true,
        page: at,
        pageSize: 5,
        reader: 'rows in order',
      })
      return rows.map(row => row.id)
    }
    expect([...(await read(1)), ...(await read(2))]).toEqual(all.map(row => row.id))
  })
})
