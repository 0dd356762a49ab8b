import { renderHook } from '@testing-library/react'
import { expect, test } from 'vitest'
import { setLang, useSay } from '#src/kit/text.ts'

test('the words are said by one function a language, so that what is made with it is made once', () => {
  const { result, rerender } = renderHook(() => useSay())
  const first = result.current
  rerender()
  expect(result.current).toBe(first)
  setLang('en')
  rerender()
  expect(result.current).not.toBe(first)
  expect(result.current(['共 {n} 条', '{n} in all'], { n: 3 })).toBe('3 in all')
  setLang('zh')
})
