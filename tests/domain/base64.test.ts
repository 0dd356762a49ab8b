import { expect, it } from 'vitest'
import { z } from 'zod'
import { isBase64 } from '#src/domain/base64.ts'

it.each([
  '',
  'QUJD',
  'QUI=',
  'QQ==',
  'Q===',
  '====',
  'QUI',
  'QU I',
  'QUJD\n',
  'QU-_',
  'QQ==QQ==',
  '=',
])('%j is base64 where zod says so', text =>
  expect(isBase64(text)).toBe(z.base64().safeParse(text).success),
)
