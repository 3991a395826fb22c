/** The texts of the pages in the language of the person. */
import { createContext, useContext } from 'react';
import { en, type Words } from './en.ts';

export const WordsContext = createContext<Words>(en);

export const useWords = (): Words => useContext(WordsContext);
