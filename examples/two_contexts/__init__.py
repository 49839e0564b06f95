"""Two contexts in one worker: `worlds` owns the World Agent's memory, `operations` asks it and knows nothing of it."""
