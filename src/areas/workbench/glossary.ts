import type { Term } from './term.ts'

const files = import.meta.glob<{ terms: readonly Term[] }>('../*/terms.ts', { eager: true })
/** Every word that help explains, from the terms of its area. */
export const glossary: readonly Term[] = Object.values(files).flatMap(file => file.terms)
const partOf = (path: string) => path.split('/')[2] ?? ''
/**
 * The term that a column of this Chinese name is on a page, if it is one: the same word may mean
 * something else in another part of the console.
 */
export const termOf = (title: string, path: string): Term | undefined =>
  glossary.find(term => term.title[0] === title && partOf(term.at) === partOf(path))
