import { findMistakes } from './finding.ts';

findMistakes(2);
