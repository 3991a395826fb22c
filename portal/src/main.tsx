/** The entry of the pages: what every visitor loads first. */
import '@fontsource-variable/inter';
import 'virtual:theme.css';
import '@mantine/core/styles/baseline.css';
import '@mantine/core/styles/global.css';
import './base.css';
import './sign-in/sign-in.css';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { followColorScheme } from './color-scheme.ts';
import { SignInApp } from './sign-in/sign-in-app.tsx';
import { EN_SIGN_IN } from './words/en/sign-in.ts';
import { loadSignInWords } from './words/sign-in-translation.ts';
import { SignInSpeech } from './words/words.ts';
import { ChosenLanguage } from './words/words-provider.tsx';

followColorScheme();

const root = document.getElementById('root');
if (root)
  createRoot(root).render(
    <StrictMode>
      <ChosenLanguage english={EN_SIGN_IN} load={loadSignInWords} Speech={SignInSpeech}>
        <SignInApp />
      </ChosenLanguage>
    </StrictMode>,
  );
