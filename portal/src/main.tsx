/** The entry of the pages: what every visitor loads first. */
import '@fontsource-variable/inter';
import 'virtual:theme.css';
import '@mantine/core/styles/baseline.css';
import '@mantine/core/styles/global.css';
import './base.css';
import './doors/doors.css';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { followColorScheme } from './color-scheme.ts';
import { Entrance } from './doors/entrance.tsx';
import { loadDoorWords } from './words/door-translation.ts';
import { EN_DOORS } from './words/en/doors.ts';
import { DoorSpeech } from './words/words.ts';
import { ChosenLanguage } from './words/words-provider.tsx';

followColorScheme();

const root = document.getElementById('root');
if (root)
  createRoot(root).render(
    <StrictMode>
      <ChosenLanguage english={EN_DOORS} load={loadDoorWords} Speech={DoorSpeech}>
        <Entrance />
      </ChosenLanguage>
    </StrictMode>,
  );
