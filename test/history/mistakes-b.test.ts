import { findMistakes } from './finding.ts';

findMistakes(1);
