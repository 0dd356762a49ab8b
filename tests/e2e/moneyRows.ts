import type { TestInfo } from '@playwright/test'
import type { makers } from './moneyMakers.ts'
import { rowsBy } from './rows.ts'

type Makers = typeof makers
/** Rows of a journey's own of one kind; answers what finds them (tests/e2e/moneyMakers.ts). */
export const moneyRows = <K extends keyof Makers>(
  info: TestInfo,
  kind: K,
): Promise<Awaited<ReturnType<Makers[K]>>> => rowsBy(info, 'moneyRows.server.ts', { kind })
