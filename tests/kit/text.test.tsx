import { act, renderHook } from '@testing-library/react'
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

test('what another tab speaks, this one speaks too, and nothing that is no language', () => {
  const { result } = renderHook(() => useSay())
  const told = (key: string, newValue: string) =>
    act(() => {
      dispatchEvent(new StorageEvent('storage', { key, newValue }))
    })
  told('mallet.lang', 'en')
  expect(result.current(['共 {n} 条', '{n} in all'], { n: 3 })).toBe('3 in all')
  expect(document.documentElement.lang).toBe('en')
  told('mallet.lang', 'fr')
  told('other', 'zh')
  expect(document.documentElement.lang).toBe('en')
  told('mallet.lang', 'zh')
  expect(result.current(['共 {n} 条', '{n} in all'], { n: 3 })).toBe('共 3 条')
})
